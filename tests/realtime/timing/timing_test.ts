import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { Deadlines } from "@/realtime/timing/clock.ts";
import { Throttle } from "@/realtime/timing/throttle.ts";
import { AddressBudget, TokenBucket } from "@/realtime/timing/budget.ts";
import { ManualClock } from "../manual_clock.ts";
import { until } from "../../fixtures/eventually.ts";

function watched() {
  const clock = new ManualClock();
  const due: string[] = [];
  return { clock, due, deadlines: new Deadlines<string>(100, (item) => due.push(item), clock) };
}

describe("Deadlines", () => {
  it("fall due their time after they were added, on one timer", () => {
    const { clock, due, deadlines } = watched();
    deadlines.add("a");
    clock.advance(40);
    deadlines.add("b");
    deadlines.add("c");
    assert.equal(clock.timers, 1);
    deadlines.add("a");
    clock.advance(60);
    assert.deepEqual(due, []);
    clock.advance(40);
    assert.deepEqual(due, ["b", "c", "a"]);
    assert.equal(clock.timers, 0);
  });

  it("fall due in time when others are added again as they fall due", () => {
    const clock = new ManualClock();
    const due: string[] = [];
    const deadlines = new Deadlines<string>(100, (item) => {
      due.push(`${item} ${clock.now()}`);
      if (due.length < 3) deadlines.add(item);
    }, clock);
    deadlines.add("a");
    clock.advance(10);
    deadlines.add("b");
    clock.advance(1_000);
    assert.deepEqual(due, ["a 100", "b 110", "a 200", "b 210"]);
    assert.equal(clock.timers, 0);
  });

  it("stop at once when they are held or stopped by one that falls due", () => {
    for (const end of ["pause", "stop"] as const) {
      const clock = new ManualClock();
      const due: string[] = [];
      const deadlines = new Deadlines<string>(100, (item) => {
        due.push(item);
        deadlines[end]();
      }, clock);
      for (const item of ["a", "b"]) deadlines.add(item);
      clock.advance(1_000);
      assert.deepEqual([due, deadlines.size, clock.timers], [["a"], end === "pause" ? 1 : 0, 0]);
    }
  });

  it("have no timer while there is no item", () => {
    const { clock, due, deadlines } = watched();
    deadlines.add("a");
    deadlines.delete("a");
    assert.equal(clock.timers, 0);
    deadlines.add("b");
    deadlines.pause();
    deadlines.add("c");
    assert.equal(clock.timers, 0);
    clock.advance(1_000);
    assert.deepEqual([due, deadlines.size], [[], 2]);
    deadlines.stop();
    assert.equal(deadlines.size, 0);
  });
});

const everyMs = 250;

/** A throttle of a number that the test sets. */
class ThrottleSimulation {
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
  it("publishes the first change of a calm time at once, and later ones together", () => {
    const simulation = new ThrottleSimulation();
    simulation.change(1);
    simulation.clock.advance(0);
    for (const value of [2, 3, 4]) simulation.change(value);
    simulation.clock.advance(everyMs - 1);
    assert.deepEqual(simulation.values, [1]);
    simulation.clock.advance(1);
    assert.deepEqual(simulation.values, [1, 4]);
    simulation.clock.advance(10_000);
    assert.deepEqual([simulation.values, simulation.clock.timers], [[1, 4], 0]);
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
      const simulation = new ThrottleSimulation();
      for (const step of steps) {
        if ("change" in step) simulation.change(step.change);
        else if ("later" in step) simulation.throttle.changed(step.later);
        else if ("pass" in step) simulation.clock.advance(step.pass);
        else if ("watch" in step) simulation.isWatched = step.watch;
        else simulation.isBroken = step.isBroken;
      }
      [simulation.isWatched, simulation.isBroken] = [true, false];
      simulation.change(10);
      const failures = simulation.failures.length;
      simulation.clock.advance(everyMs + 1);
      assert.equal(simulation.values.at(-1), 10);
      assert.equal(simulation.failures.length, failures);
      for (const [index, { at }] of simulation.published.entries()) {
        // Sums of times that are no whole numbers are rounded.
        assert.ok(index === 0 || at - simulation.published[index - 1].at >= everyMs - 1e-6);
      }
    }));
  });

  it("says that nobody watches when something changes or falls due, and keeps no timer", () => {
    const simulation = new ThrottleSimulation();
    simulation.isWatched = false;
    simulation.change(1);
    assert.deepEqual([simulation.unwatched, simulation.clock.timers], [1, 0]);
    simulation.isWatched = true;
    simulation.change(2);
    simulation.isWatched = false;
    simulation.clock.advance(1_000);
    assert.deepEqual([simulation.unwatched, simulation.values, simulation.clock.timers], [
      2,
      [],
      0,
    ]);
  });

  it("tells of a failure, and goes on", () => {
    const simulation = new ThrottleSimulation();
    simulation.isBroken = true;
    simulation.change(1);
    simulation.clock.advance(0);
    assert.equal(simulation.failures.length, 1);
    simulation.isBroken = false;
    simulation.change(2);
    simulation.clock.advance(everyMs);
    assert.deepEqual(simulation.values, [1, 2]);
  });

  it("begins no publication before the one before it has ended, and tells of one that is rejected", async () => {
    const simulation = new ThrottleSimulation();
    const { promise, reject } = Promise.withResolvers<void>();
    simulation.publish = () => {
      simulation.published.push({ value: simulation.value, at: simulation.clock.now() });
      return simulation.values.length === 1 ? promise : Promise.resolve();
    };
    simulation.change(1);
    simulation.clock.advance(0);
    simulation.change(2);
    simulation.clock.advance(10 * everyMs);
    assert.deepEqual(simulation.values, [1]);
    reject(new Error("no answer"));
    await until(() => simulation.failures.length === 1);
    simulation.clock.advance(0);
    assert.deepEqual(simulation.values, [1, 2]);
  });

  it("makes a publication that is due later earlier, but never later", () => {
    const simulation = new ThrottleSimulation();
    simulation.throttle.changed(10_000);
    simulation.throttle.changed(5_000);
    simulation.throttle.changed(20_000);
    simulation.clock.advance(5_000);
    assert.deepEqual(simulation.published.map(({ at }) => at), [5_000]);
    simulation.throttle.changed(10_000);
    simulation.change(1);
    simulation.clock.advance(20_000);
    assert.deepEqual(simulation.published.map(({ at }) => at), [5_000, 5_250]);
  });

  it("pauses for as long as it is asked to", () => {
    const simulation = new ThrottleSimulation();
    simulation.throttle.pause(3_000);
    simulation.change(1);
    simulation.clock.advance(2_999);
    assert.deepEqual(simulation.values, []);
    simulation.clock.advance(1);
    assert.deepEqual(simulation.values, [1]);
  });

  it("publishes nothing after a rest until the next change, and nothing after its stop", () => {
    const simulation = new ThrottleSimulation();
    simulation.change(1);
    simulation.throttle.rest();
    simulation.clock.advance(1_000);
    simulation.change(2);
    simulation.clock.advance(0);
    assert.deepEqual(simulation.values, [2]);
    simulation.change(3);
    simulation.throttle.stop();
    simulation.change(4);
    simulation.clock.advance(1_000);
    assert.deepEqual([simulation.values, simulation.clock.timers, simulation.throttle.isStopped], [
      [2],
      0,
      true,
    ]);
  });
});

const budget = { burst: 10, perSecond: 2 };
const spendings = fc.array(
  fc.record({ afterMs: fc.nat(3_000), cost: fc.integer({ min: 1, max: 5 }) }),
);

describe("TokenBucket", () => {
  it("allows no more than the burst, what was added since, and the last cost", () => {
    fc.assert(fc.property(spendings, (all) => {
      const bucket = new TokenBucket();
      let [now, spent] = [1e6, 0];
      for (const { afterMs, cost } of all) {
        now += afterMs;
        if (bucket.take(now, budget, cost)) spent += cost;
        assert.ok(spent <= budget.burst + (now - 1e6) / 1_000 * budget.perSecond + 5);
      }
    }));
  });

  it("is full at first and after a time without spending", () => {
    const bucket = new TokenBucket();
    for (let n = 0; n < 10; n++) assert.ok(bucket.take(0, budget));
    assert.equal(bucket.take(0, budget), false);
    assert.equal(bucket.isFull(4_999, budget), false);
    assert.ok(bucket.isFull(5_000, budget));
    for (let n = 0; n < 10; n++) assert.ok(bucket.take(60_000, budget));
    assert.equal(bucket.take(60_000, budget), false);
  });
});

describe("AddressBudget", () => {
  it("has a budget for each address", () => {
    const budgets = new AddressBudget(budget);
    assert.ok(budgets.take("192.0.2.1", 0, 10));
    assert.equal(budgets.take("192.0.2.1", 0, 1), false);
    assert.ok(budgets.take("192.0.2.2", 0, 1));
  });

  it("forgets addresses whose budget is full again, and no other", () => {
    const budgets = new AddressBudget(budget);
    budgets.take("spent", 0, 1_000);
    for (let n = 0; n < 5_000; n++) budgets.take(String(n), n * 10, 1);
    assert.ok(budgets.size <= 1_000);
    assert.equal(budgets.take("spent", 50_000, 1), false);
  });
});
