import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { Deadlines } from "@/realtime/timing/clock.ts";
import { ManualClock } from "../manual_clock.ts";

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
