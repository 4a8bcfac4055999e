import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { MinuteMeasure } from "@/server/history/minute_measure.ts";
import { RecentMinutes } from "@/server/history/history_recorder.ts";
import type { PresenceListener } from "@/realtime/server.ts";
import { ManualClock } from "../../realtime/manual_clock.ts";
import { partOf } from "../../fixtures/doubles.ts";

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

  it("has the most active users, and none where no tab reports", () => {
    const measure = new MinuteMeasure(counts(9), 0);
    measure.change({ ...counts(9), active: null }, 1_000);
    const [silent] = measure.advance(minute);
    measure.change({ ...counts(9), active: 3 }, minute + 1_000);
    measure.change({ ...counts(9), active: 7 }, minute + 2_000);
    measure.change({ ...counts(5), active: 0 }, minute + 3_000);
    const [reported] = measure.advance(2 * minute);
    const [none] = measure.advance(3 * minute);
    assert.deepEqual([silent.mostActive, reported.mostActive, none.mostActive], [undefined, 7, 0]);
    assert.ok(!("mostActive" in silent));
  });

  it("has the guests among the most users, when that number was first reached", () => {
    const measure = new MinuteMeasure({ ...counts(9), guests: 4 }, 0);
    measure.change({ ...counts(8), guests: 8 }, 1_000);
    measure.change({ ...counts(9), guests: 9 }, 2_000);
    const [first] = measure.advance(minute);
    measure.change(counts(9), minute + 1_000);
    const [second] = measure.advance(2 * minute);
    const [none] = measure.advance(3 * minute);
    assert.deepEqual([first, second, none].map(({ guestsAtMost }) => guestsAtMost), [4, 9, 0]);
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

const start = 100 * minute;

/** A channel with one user, measured from the start of a minute on; times are in seconds from then. */
function measuredChannel() {
  const clock = new ManualClock();
  clock.advance(start);
  const listeners: PresenceListener[] = [];
  const presence = {
    now: { users: 1, guests: 1, connections: 1, userIds: ["ada"] },
    active: null,
    onActiveUsers: () => () => {},
    onPresence: (listener: PresenceListener) => {
      listeners.push(listener);
      return () => {};
    },
  };
  const recent = new RecentMinutes(partOf(presence), clock);
  return {
    clock,
    count: (users: number, guests = 0) =>
      listeners.forEach((each) => each({ users, guests, connections: users })),
    guests: () => recent.read().map(({ guestsAtMost }) => guestsAtMost),
    read: () =>
      recent.read().map(({ startsAt, lastAt, fewestUsers, mostUsers }) => [
        ...[startsAt - start, lastAt - start].map((at) => at / 1_000),
        fewestUsers,
        mostUsers,
      ]),
  };
}

describe("the recent minutes", () => {
  it("are the one that is not over, and for ten seconds the previous one", () => {
    const { clock, count, read } = measuredChannel();
    assert.deepEqual(read(), [[0, 0, 1, 1]]);
    clock.advance(30_000);
    count(4);
    count(2);
    clock.advance(30_000);
    clock.advance(9_000);
    assert.deepEqual(read(), [[0, 60, 1, 4], [60, 69, 2, 2]]);
    clock.advance(1_000);
    assert.deepEqual(read().map(([startsAt]) => startsAt), [60]);
  });

  it("have the guests among the most users, those from before it began included", () => {
    const { clock, count, guests } = measuredChannel();
    clock.advance(60_000);
    count(4, 3);
    assert.deepEqual(guests(), [1, 3]);
    clock.advance(600 * minute);
    assert.deepEqual(guests(), [3]);
  });

  it("reach up to now after hours without a join, a leave or a reader", () => {
    const { clock, count, read } = measuredChannel();
    count(3);
    clock.advance(600 * minute + 30_000);
    assert.deepEqual(read(), [[36_000, 36_030, 3, 3]]);
    count(5);
    assert.deepEqual(read(), [[36_000, 36_030, 3, 5]]);
  });

  it("go on after a clock that was set back", () => {
    const { clock, count, read } = measuredChannel();
    clock.advance(30_000);
    count(2);
    clock.advance(-50 * minute);
    clock.advance(15_000);
    assert.deepEqual(read(), [[-3_000, -2_955, 2, 2]]);
  });
});
