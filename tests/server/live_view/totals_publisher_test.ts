import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { TotalsPublisher } from "@/server/live_view/totals_publisher.ts";
import type { LogEntry } from "@/realtime/server.ts";
import { ManualClock } from "../../realtime/manual_clock.ts";

/** A publisher whose number the test sets. */
function simulate() {
  const clock = new ManualClock();
  const state = { users: 0, counted: 0, watched: ["a"], fails: false };
  const published: [channel: string, users: number][] = [];
  const logged: LogEntry[] = [];
  const publisher = new TotalsPublisher({
    totals() {
      state.counted++;
      if (state.fails) throw new Error("no totals");
      return { at: clock.date(), users: state.users, channels: [] };
    },
    watched: () => state.watched,
    publish: (channel, { users }) => published.push([channel, users]),
    clock,
    log: (entry) => logged.push(entry),
  });
  const change = (users: number) => {
    state.users = users;
    publisher.changed();
  };
  return { clock, state, published, logged, publisher, change };
}

describe("the publisher of the sum of users", () => {
  it("publishes the first change at once, then at most twice a second, and the last one always", () => {
    const { clock, change, published } = simulate();
    change(1);
    clock.advance(0);
    for (const users of [2, 3, 4]) change(users);
    clock.advance(499);
    assert.deepEqual(published, [["a", 1]]);
    clock.advance(1);
    assert.deepEqual(published, [["a", 1], ["a", 4]]);
    clock.advance(10_000);
    assert.equal(published.length, 2);
  });

  it("publishes to every page that is open, and counts nothing while none is", () => {
    const { clock, change, published, state } = simulate();
    state.watched = [];
    change(1);
    clock.advance(1_000);
    assert.deepEqual([published, state.counted, clock.timers], [[], 0, 0]);
    state.watched = ["a", "b"];
    change(2);
    clock.advance(1_000);
    assert.deepEqual([published, state.counted], [[["a", 2], ["b", 2]], 1]);
    change(3);
    state.watched = [];
    clock.advance(1_000);
    assert.equal(state.counted, 1);
  });

  it("goes on after a failure, and publishes nothing after its stop", () => {
    const { clock, change, published, logged, publisher, state } = simulate();
    state.fails = true;
    change(1);
    clock.advance(1_000);
    assert.deepEqual(logged.map(({ message }) => message), [
      "The sum of users could not be published",
    ]);
    state.fails = false;
    change(2);
    clock.advance(1_000);
    assert.deepEqual(published, [["a", 2]]);
    change(3);
    publisher.stop();
    change(4);
    clock.advance(1_000);
    assert.deepEqual([published.length, clock.timers], [1, 0]);
  });
});
