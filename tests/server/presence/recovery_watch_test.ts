import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { RecoveryWatch } from "@/server/presence/recovery_watch.ts";
import { ManualClock } from "../../realtime/manual_clock.ts";

/** A server that started when `before` users had been online, and users who come by the test's hand. */
function simulate(before: number, users = 0, uncertainMs = 0) {
  const clock = new ManualClock();
  clock.advance(777);
  let listener: (counts: { users: number }) => void = () => {};
  const watch = new RecoveryWatch({
    before,
    uncertainMs,
    presence: () => ({ users }),
    onPresence: (added) => {
      listener = added;
      return () => listener = () => {};
    },
    clock,
  });
  let calls = 0;
  const stopWaiting = watch.whenOver(() => calls++);
  return {
    clock,
    watch,
    stopWaiting,
    calls: () => calls,
    count(now: number) {
      users = now;
      listener({ users });
    },
  };
}

describe("the watch of the recovery", () => {
  it("shows pages how many are expected, with times relative to now", () => {
    const { clock, watch, count } = simulate(56);
    clock.advance(4_000);
    count(11);
    clock.advance(1_000);
    const shown = { expected: 56, most: 11, startedAt: -5_000, grewAt: -1_000 };
    assert.deepEqual(watch.shown, shown);
  });

  it("calls back once, when as many are back as before", () => {
    const { clock, watch, count, calls } = simulate(3);
    for (const users of [1, 2]) count(users);
    assert.equal(calls(), 0);
    for (const users of [3, 4, 3]) count(users);
    assert.deepEqual([calls(), watch.shown, clock.timers], [1, null, 0]);
  });

  it("does not end for users of servers that ended, who are in the list until their leases end", () => {
    const { clock, watch, count, calls } = simulate(100, 100, 11_000);
    count(100);
    clock.advance(10_999);
    count(15);
    assert.deepEqual([calls(), watch.isOver, watch.shown?.most], [0, false, 0]);
    clock.advance(1);
    assert.deepEqual([calls(), watch.shown?.most], [0, 15]);
    count(100);
    assert.deepEqual([calls(), watch.isOver, clock.timers], [1, true, 0]);
  });

  it("calls back after half a minute, later while the number grows", () => {
    const { clock, count, calls } = simulate(56);
    clock.advance(25_000);
    count(40);
    clock.advance(9_999);
    assert.equal(calls(), 0);
    clock.advance(1);
    assert.deepEqual([calls(), clock.timers], [1, 0]);
  });

  it("calls back at once where there is nothing to recover", () => {
    const { clock, calls } = simulate(2, 2);
    assert.deepEqual([calls(), clock.timers], [1, 0]);
  });

  for (const before of [0, 1]) {
    it(`shows nothing to pages after ${before} users, but waits for the first one`, () => {
      const { watch, count, calls } = simulate(before);
      assert.deepEqual([watch.shown, calls()], [null, 0]);
      count(1);
      assert.equal(calls(), 1);
    });
  }

  it("calls nothing back that no longer waits, nor after a stop", () => {
    const left = simulate(3);
    left.stopWaiting();
    left.count(3);
    assert.equal(left.calls(), 0);
    const stopped = simulate(3);
    stopped.watch.stop();
    stopped.count(3);
    stopped.clock.advance(60_000);
    assert.deepEqual([stopped.calls(), stopped.clock.timers], [0, 0]);
  });
});
