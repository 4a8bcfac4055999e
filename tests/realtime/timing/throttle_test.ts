import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { Throttle } from "@/realtime/timing/throttle.ts";
import { until } from "../../fixtures/eventually.ts";
import { ManualClock } from "../manual_clock.ts";

const everyMs = 250;

/** A throttle of a number that the test sets. */
class Stage {
  readonly clock = new ManualClock();
  readonly published: { value: number; at: number }[] = [];
  readonly failures: unknown[] = [];
  value = 0;
  isWatched = true;
  isBroken = false;
  unwatched = 0;
  readonly throttle = new Throttle(this.clock, everyMs, {
    isWatched: () => this.isWatched,
    unwatched: () => this.unwatched++,
    publish: () => this.publish(),
    failed: (error) => this.failures.push(error),
  });

  publish(): void | Promise<unknown> {
    assert.ok(this.isWatched, "Nobody watches");
    this.published.push({ value: this.value, at: this.clock.now() });
    if (this.isBroken) throw new Error("too large");
  }

  change(value: number): void {
    this.value = value;
    this.throttle.changed();
  }

  get values(): number[] {
    return this.published.map(({ value }) => value);
  }
}

describe("a throttle", () => {
  it("publishes the first change of a calm time at once, and those that follow together", () => {
    const stage = new Stage();
    stage.change(1);
    stage.clock.advance(0);
    for (const value of [2, 3, 4]) stage.change(value);
    stage.clock.advance(everyMs - 1);
    assert.deepEqual(stage.values, [1]);
    stage.clock.advance(1);
    assert.deepEqual(stage.values, [1, 4]);
    stage.clock.advance(10_000);
    assert.deepEqual([stage.values, stage.clock.timers], [[1, 4], 0]);
  });

  it("publishes at most once in its time, always the last state, to nobody nothing, after any steps", () => {
    const step = fc.oneof(
      fc.record({ change: fc.nat(9) }),
      fc.record({ later: fc.nat(1_000) }),
      fc.record({ pass: fc.double({ min: 0, max: 600, noNaN: true }) }),
      fc.record({ watch: fc.boolean() }),
      fc.record({ isBroken: fc.boolean() }),
    );
    fc.assert(fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const stage = new Stage();
      for (const step of steps) {
        if ("change" in step) stage.change(step.change);
        else if ("later" in step) stage.throttle.changed(step.later);
        else if ("pass" in step) stage.clock.advance(step.pass);
        else if ("watch" in step) stage.isWatched = step.watch;
        else stage.isBroken = step.isBroken;
      }
      [stage.isWatched, stage.isBroken] = [true, false];
      stage.change(10);
      const failures = stage.failures.length;
      stage.clock.advance(everyMs + 1);
      assert.equal(stage.values.at(-1), 10);
      assert.equal(stage.failures.length, failures);
      for (const [index, { at }] of stage.published.entries()) {
        assert.ok(index === 0 || at - stage.published[index - 1].at >= everyMs);
      }
    }));
  });

  it("says that nobody watches when something changes or falls due, and keeps no timer", () => {
    const stage = new Stage();
    stage.isWatched = false;
    stage.change(1);
    assert.deepEqual([stage.unwatched, stage.clock.timers], [1, 0]);
    stage.isWatched = true;
    stage.change(2);
    stage.isWatched = false;
    stage.clock.advance(1_000);
    assert.deepEqual([stage.unwatched, stage.values, stage.clock.timers], [2, [], 0]);
  });

  it("tells of a failure, and goes on", () => {
    const stage = new Stage();
    stage.isBroken = true;
    stage.change(1);
    stage.clock.advance(0);
    assert.equal(stage.failures.length, 1);
    stage.isBroken = false;
    stage.change(2);
    stage.clock.advance(everyMs);
    assert.deepEqual(stage.values, [1, 2]);
  });

  it("begins no publication before the one before it has ended, and tells of one that is rejected", async () => {
    const stage = new Stage();
    const { promise, reject } = Promise.withResolvers<void>();
    stage.publish = () => {
      stage.published.push({ value: stage.value, at: stage.clock.now() });
      return stage.values.length === 1 ? promise : Promise.resolve();
    };
    stage.change(1);
    stage.clock.advance(0);
    stage.change(2);
    stage.clock.advance(10 * everyMs);
    assert.deepEqual(stage.values, [1]);
    reject(new Error("no answer"));
    await until(() => stage.failures.length === 1);
    stage.clock.advance(0);
    assert.deepEqual(stage.values, [1, 2]);
  });

  it("makes a publication that is due later earlier, but never later", () => {
    const stage = new Stage();
    stage.throttle.changed(10_000);
    stage.throttle.changed(5_000);
    stage.throttle.changed(20_000);
    stage.clock.advance(5_000);
    assert.deepEqual(stage.published.map(({ at }) => at), [5_000]);
    stage.throttle.changed(10_000);
    stage.change(1);
    stage.clock.advance(20_000);
    assert.deepEqual(stage.published.map(({ at }) => at), [5_000, 5_250]);
  });

  it("pauses for as long as it is asked to", () => {
    const stage = new Stage();
    stage.throttle.pause(3_000);
    stage.change(1);
    stage.clock.advance(2_999);
    assert.deepEqual(stage.values, []);
    stage.clock.advance(1);
    assert.deepEqual(stage.values, [1]);
  });

  it("publishes nothing after a rest until the next change, and nothing after its stop", () => {
    const stage = new Stage();
    stage.change(1);
    stage.throttle.rest();
    stage.clock.advance(1_000);
    stage.change(2);
    stage.clock.advance(0);
    assert.deepEqual(stage.values, [2]);
    stage.change(3);
    stage.throttle.stop();
    stage.change(4);
    stage.clock.advance(1_000);
    assert.deepEqual([stage.values, stage.clock.timers, stage.throttle.isStopped], [[2], 0, true]);
  });
});
