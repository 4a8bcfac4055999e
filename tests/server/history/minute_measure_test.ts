import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { MinuteMeasure } from "@/server/history/minute_measure.ts";

const minute = 60_000;
const counts = (users: number) => ({ users, connections: users });

describe("the minute measure", () => {
  it("leaves a gap for a time in which the process did not run", () => {
    const measure = new MinuteMeasure(counts(2), 50_000);
    measure.advance(55_000);
    const awake = 55_000 + 2 * minute + 1;
    const [before, ...more] = measure.change(counts(4), awake);
    assert.deepEqual([before.startsAt, before.lastAt, before.measuredMs], [0, 55_000, 5_000]);
    assert.deepEqual(more, []);
    const [after] = measure.finish(awake + 1_000);
    assert.deepEqual([after.startsAt, after.measuredMs], [2 * minute, 1_000]);
    assert.deepEqual([after.mostUsers, after.fewestUsers, after.mostUsersAt], [4, 4, awake]);
  });

  it("leaves no gap for a delay of less than two minutes", () => {
    const measure = new MinuteMeasure(counts(2), 0);
    const finished = measure.advance(2 * minute);
    assert.deepEqual(finished.map(({ measuredMs }) => measuredMs), [minute, minute]);
  });

  it("continues when the clock is set back, by little or by much", () => {
    const measure = new MinuteMeasure(counts(1), 600 * minute);
    measure.advance(600 * minute + 10_000);
    assert.deepEqual(measure.change(counts(2), 600 * minute + 5_000), []);
    const [before] = measure.change(counts(3), 540 * minute);
    assert.deepEqual([before.mostUsers, before.mostUsersAt], [2, 600 * minute + 10_000]);
    assert.equal(before.measuredMs, 10_000);
    const [after] = measure.finish(540 * minute + 1_000);
    assert.deepEqual([after.startsAt, after.mostUsers], [540 * minute, 3]);
  });

  it("does not change when the caller changes the object it passed", () => {
    const kept = counts(1);
    const measure = new MinuteMeasure(counts(1), 0);
    measure.change(kept, 0);
    kept.users = 9;
    assert.equal(measure.finish(1_000)[0].mostUsers, 1);
  });
});
