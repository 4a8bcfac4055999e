import assert from "node:assert/strict";
import fc from "fast-check";
import { it } from "@std/testing/bdd";
import { History, quarterHourMs } from "@/server/history/stored_history.ts";
import { HistoryRecorder } from "@/server/history/history_recorder.ts";
import { dateAt } from "@/server/history/day_summary.ts";
import { type KeptRecord, nextRecord } from "@/server/history/new_record.ts";
import type { Interval } from "@/server/history/minute_measure.ts";
import { describeOnDatabase } from "../../fixtures/databases.ts";
import { ManualClock } from "../../realtime/manual_clock.ts";
import { Model, type Step, steps } from "./history_model.ts";
import type { HistoryRange } from "@/shared/history.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** A Friday in 2023, at midnight in UTC. */
const midnight = Date.UTC(2023, 10, 17);

const ranges: HistoryRange[] = ["hour", "day", "month"];

function measured(startsAt: number, users: number): Interval {
  return {
    startsAt,
    mostUsers: users,
    mostUsersAt: startsAt,
    fewestUsers: users,
    lastUsers: users,
    lastAt: startsAt + minute,
    mostConnections: users,
    measuredMs: minute,
  };
}

/** A server whose history is recorded, beside the model of it. */
class Course {
  readonly clock = new ManualClock();
  readonly model: Model;
  readonly failures: unknown[] = [];
  recorder: HistoryRecorder;

  constructor(readonly history: History, start: number) {
    this.clock.advance(start);
    this.model = new Model(start);
    this.recorder = this.#start();
  }

  async follow(steps: Step[]): Promise<void> {
    for (const step of steps) {
      if ("wait" in step) {
        this.clock.advance(step.wait);
        this.model.wait(step.wait);
      } else if ("down" in step) {
        await this.recorder.stop();
        this.clock.advance(step.down);
        this.model.down(step.down);
        this.recorder = this.#start();
      } else {
        this.recorder.changed(step);
        this.model.change(step);
      }
    }
  }

  #start(): HistoryRecorder {
    const failed = (error: unknown) => this.failures.push(error);
    const { history, clock } = this;
    return new HistoryRecorder({ users: 0, connections: 0 }, history, failed, clock);
  }
}

/** Compares every line up to now, and the peak since a time. */
async function assertHistory(
  history: History,
  model: Model,
  since: number,
  unsaved?: Interval[],
): Promise<void> {
  for (const range of ranges) {
    model.assertLine(await history.read(range, model.now, unsaved));
  }
  const tomorrow = model.now + day;
  const expected = model.within(since, tomorrow);
  assert.deepEqual(
    await history.peak(since, tomorrow, unsaved),
    expected && {
      users: expected.mostUsers,
      at: expected.mostUsersAt,
      guests: expected.guestsAtMost,
    },
  );
}

it("a new record is news on each day that is above all before, half a day apart, from 10 on", () => {
  const dates = (at: number) => dateAt(at, "Europe/Berlin");
  const peaks = fc.array(fc.record({ hours: fc.integer({ min: 1, max: 40 }), users: fc.nat(60) }));
  fc.assert(fc.property(peaks, (course) => {
    let at = midnight;
    let record: KeptRecord = { users: 5, at };
    const seen = [record];
    const news: number[] = [];
    for (const { hours, users } of course) {
      at += hours * hour;
      const earlier = seen.filter((one) => dates(one.at) < dates(at)).map((one) => one.users);
      const isHighest = users > Math.max(...seen.map((one) => one.users));
      const isOfToday = Math.max(...earlier, 0) < Math.max(...seen.map((one) => one.users));
      const expected = isHighest && !isOfToday && Math.max(...earlier) >= 10 &&
        at - midnight >= day && at - (news.at(-1) ?? 0) >= 12 * hour;
      if (isHighest) {
        const before = record;
        record = nextRecord(record, { users, at }, {
          begunAt: midnight,
          timeZone: "Europe/Berlin",
        });
        const fell = expected ? { at, before: before.users } : before.fell;
        assert.deepEqual(record, { users, at, fell });
      }
      if (expected) news.push(at);
      seen.push({ users, at });
    }
    assert.equal(new Set(news.map(dates)).size, news.length);
  }));
});

describeOnDatabase("the history", (store) => {
  it("has the points of its range up to now, all gaps at first", async () => {
    const history = new History(await store.open());
    const now = midnight + 13 * hour + 59 * minute + 59_999;
    const expected = { hour: [60, minute], day: [96, 15 * minute], month: [120, 6 * hour] };
    for (const range of ranges) {
      const { intervalMs, points } = await history.read(range, now);
      assert.deepEqual([points.length, intervalMs], expected[range]);
      assert(points.every(({ measured }) => measured === null));
      assert.equal(points.at(-1)!.startsAt, Math.floor(now / intervalMs) * intervalMs);
      assert.equal(points.at(-1)!.startsAt - points[0].startsAt, (points.length - 1) * intervalMs);
    }
    assert.equal(await history.peak(0, now), null);
  });

  it("has the peak of a day in every time zone", async () => {
    const history = new History(await store.open());
    // Before and after midnight in Nepal, which is 5:45 ahead of UTC.
    const nepalsMidnight = midnight - 5 * hour - 45 * minute;
    await history.record(measured(nepalsMidnight - minute, 9));
    await history.record(measured(nepalsMidnight + hour, 7));
    await history.record(measured(midnight + hour, 7));
    await history.record(measured(midnight + 2 * hour, 3));
    const peak = (since: number) => history.peak(since, midnight + day);
    assert.deepEqual(await peak(nepalsMidnight), { users: 7, at: nepalsMidnight + hour });
    assert.deepEqual(await peak(midnight), { users: 7, at: midnight + hour });
    assert.deepEqual(await peak(midnight + 2 * hour), { users: 3, at: midnight + 2 * hour });
    assert.deepEqual(await history.peak(midnight - day, nepalsMidnight), {
      users: 9,
      at: nepalsMidnight - minute,
    });
  });

  it("has the peak also of what is not stored yet, and the earliest of several", async () => {
    const history = new History(await store.open());
    await history.record(measured(midnight, 4));
    const peak = (...users: number[]) =>
      history.peak(
        midnight,
        midnight + day,
        users.map((count, index) => measured(midnight + (index + 1) * minute, count)),
      );
    assert.deepEqual(await peak(5, 7, 7), { users: 7, at: midnight + 2 * minute });
    assert.deepEqual(await peak(3), { users: 4, at: midnight });
    assert.deepEqual(await peak(4), { users: 4, at: midnight });
  });

  it("has the number of five minutes ago, and of no other minute", async () => {
    const history = new History(await store.open());
    const now = midnight + 10.5 * minute;
    assert.equal((await history.context(now)).before, null);
    for (let at = 0; at < 10; at++) await history.record(measured(midnight + at * minute, at));
    assert.equal((await history.context(now)).before, 4);
    assert.equal((await history.context(now + 6 * minute)).before, null);
  });

  it("says what is usual by the same quarter of an hour of the last four weeks, of three at least", async () => {
    const history = new History(await store.open());
    const now = midnight + 28 * day + 7 * minute;
    const usual = async () => (await history.context(now)).usual;
    await history.record(measured(midnight - 7 * day, 1_000));
    await history.record(measured(midnight, 80));
    await history.record({ ...measured(midnight + 7 * day, 50), fewestUsers: 30 });
    await history.record(measured(midnight + 14 * day + 15 * minute, 1_000));
    assert.equal(await usual(), null);
    await history.record(measured(midnight + 14 * day, 10));
    assert.equal(await usual(), 40);
    await history.record(measured(midnight + 21 * day, 61));
    assert.equal(await usual(), 51);
  });

  it("keeps the highest number ever, also of before it was kept, and what is not stored yet", async () => {
    const database = await store.open();
    const history = new History(database);
    const other = new History(database, "another");
    const now = midnight + 500 * day;
    const record = async (unsaved: Interval[] = []) => (await history.context(now, unsaved)).record;
    assert.equal(await record(), null);
    assert.deepEqual(await record([measured(now, 3)]), { users: 3, at: now });
    await history.record(measured(midnight, 9));
    await history.record(measured(midnight + day, 9));
    await other.record(measured(midnight, 900));
    await database.queries.deleteFrom("setting").execute();
    await history.record(measured(now - hour, 5));
    assert.ok(await history.thinSome(now));
    assert.deepEqual(await record(), { users: 9, at: midnight });
    assert.deepEqual(await record([measured(now, 10)]), { users: 10, at: now });
    await history.record(measured(now, 11));
    assert.deepEqual(await record(), { users: 11, at: now });
  });

  it("has a new record as news once a day at most, whoever stores it, and not in the first days", async () => {
    const database = await store.open();
    const [here, there] = [new History(database), new History(database)];
    const news = async () => (await here.context(midnight)).newRecordAt ?? null;
    const days: [at: number, users: number][] = [
      ...[[0, 20], [20 * hour, 30], [day - minute, 40]] as const,
    ].map(([at, users]) => [midnight + at, users]);
    for (const [at, users] of days) await here.record(measured(at, users));
    assert.equal(await news(), null);
    const fell = midnight + day;
    await Promise.all([here, there].map((history) => history.record(measured(fell, 41))));
    assert.equal(await news(), fell);
    assert.deepEqual(await there.newRecord(), { users: 41, at: fell, fellAt: fell, before: 40 });
    await there.record(measured(fell + hour, 50));
    const record = { users: 50, at: fell + hour, fellAt: fell, before: 40 };
    assert.deepEqual(await here.newRecord(), record);
    await here.record(measured(fell + 30 * hour, 60), false);
    assert.deepEqual(await here.newRecord(), record);
    await here.record(measured(fell + 31 * hour, 55));
    assert.equal(await news(), fell + 31 * hour);
  });

  it("ends with the last number that was measured, or with 0", async () => {
    const history = new History(await store.open());
    assert.equal(await history.lastUsers(), 0);
    await history.record(measured(midnight, 4));
    await history.record(measured(midnight + minute, 3));
    assert.equal(await history.lastUsers(), 3);
  });

  it("is the same when a minute is stored twice", async () => {
    const history = new History(await store.open());
    for (const users of [2, 4]) {
      for (let again = 0; again < 2; again++) {
        await history.record(measured(midnight + users * minute, users));
      }
    }
    const { points } = await history.read("day", midnight);
    assert.deepEqual(points.at(-1)!.measured, {
      ...measured(midnight, 4),
      mostUsersAt: midnight + 4 * minute,
      fewestUsers: 2,
      lastAt: midnight + 5 * minute,
      measuredMs: 2 * minute,
    });
  });

  it("has the most active users of the minutes that know of any", async () => {
    const history = new History(await store.open());
    for (const [index, mostActive] of [undefined, 5, 2, undefined].entries()) {
      const active = mostActive === undefined ? {} : { mostActive };
      await history.record({ ...measured(midnight + index * minute, 9), ...active });
    }
    const activeIn = async (range: HistoryRange, now: number) =>
      (await history.read(range, now)).points.at(-1)!.measured?.mostActive;
    assert.equal(await activeIn("day", midnight), 5);
    const minutes = [0, 1, 2, 3].map((index) => activeIn("hour", midnight + index * minute));
    assert.deepEqual(await Promise.all(minutes), [undefined, 5, 2, undefined]);
  });

  it("has the guests among the most users, and claims none of what is older", async () => {
    const history = new History(await store.open());
    const stored: [users: number, guests?: number][] = [[5], [4, 3], [7, 6], [7, 0], [9], [8, 8]];
    for (const [index, [users, guestsAtMost]] of stored.entries()) {
      const guests = guestsAtMost === undefined ? {} : { guestsAtMost };
      await history.record({ ...measured(midnight + index * minute, users), ...guests });
      const { points } = await history.read("month", midnight);
      const { mostUsers, guestsAtMost: known } = points.at(-1)!.measured!;
      const expected = [[5], [5], [7, 6], [7, 6], [9], [9]][index];
      assert.deepEqual([mostUsers, known], [expected[0], expected[1]]);
      const { record } = await history.context(midnight + hour);
      assert.deepEqual([record?.users, record?.guests], [expected[0], expected[1]]);
    }
    const { points } = await history.read("hour", midnight + 5 * minute);
    assert.deepEqual(
      points.slice(-6).map(({ measured }) => measured?.guestsAtMost),
      [undefined, 3, 6, 0, undefined, 8],
    );
    const peak = async (since: number, unsaved?: Interval[]) =>
      (await history.peak(since, midnight + day, unsaved))?.guests;
    assert.equal(await peak(midnight), undefined);
    assert.equal(await peak(midnight, [{ ...measured(midnight + hour, 99), guestsAtMost: 4 }]), 4);
    const again = { ...measured(midnight + 4 * minute, 9), guestsAtMost: 1 };
    assert.equal(await peak(midnight, [again]), undefined, "of two at one time, the stored one");
  });

  it("has the guests of a record that is no longer among the intervals", async () => {
    const history = new History(await store.open());
    await history.record({ ...measured(midnight, 9), guestsAtMost: 7 });
    assert.ok(await history.thinSome(midnight + 500 * day));
    const { record } = await history.context(midnight + 500 * day);
    assert.deepEqual(record, { users: 9, at: midnight, guests: 7 });
  });

  it("loses no minute when two processes add to the same intervals at once", async () => {
    const [here, there] = [new History(await store.open()), new History(await store.open())];
    await Promise.all(Array.from({ length: 20 }, async (_, index) => {
      const history = index % 2 === 0 ? here : there;
      await history.record({ ...measured(midnight, index), lastAt: midnight + index });
    }));
    const { points } = await here.read("month", midnight);
    const { mostUsers, fewestUsers, lastUsers } = points.at(-1)!.measured!;
    assert.deepEqual([mostUsers, fewestUsers, lastUsers], [19, 0, 19]);
  });

  it("keeps minutes for 2 days, quarter hours for 32 and six hours for 400", async () => {
    const history = new History(await store.open());
    for (const days of [0, 1, 3, 31, 33, 399, 401]) {
      await history.record(measured(midnight - days * day, days));
    }
    await history.thinSome(midnight);
    const rows = await store.query(
      `select "intervalMs", count(*) as "count" from "onlineInterval"
       group by "intervalMs" order by "intervalMs"`,
    );
    assert.deepEqual(rows.map(({ count }) => Number(count)), [2, 4, 6]);
  });

  it("deletes old intervals of all channels a batch at a time, and none that is kept", async () => {
    const database = await store.open();
    const history = new History(database);
    await history.record(measured(midnight, 1));
    const [{ channel: _, intervalMs: __, ...row }] = await database.queries
      .selectFrom("onlineInterval").selectAll().limit(1).execute();
    const old = (index: number) => ({
      ...row,
      channel: `presence-${index % 3}`,
      intervalMs: 60_000,
      startsAt: midnight - 5 * day - index * 60_000,
    });
    for (let start = 0; start < 1_200; start += 100) {
      const rows = Array.from({ length: 100 }, (_, index) => old(start + index));
      await database.queries.insertInto("onlineInterval").values(rows).execute();
    }
    const left = async () =>
      (await store.query(`select 1 as one from "onlineInterval"`)).length - 3;
    const seen: [boolean, number][] = [];
    for (let calls = 0; calls < 4; calls++) {
      seen.push([await history.thinSome(midnight), await left()]);
    }
    assert.deepEqual(seen, [[false, 700], [false, 200], [true, 0], [true, 0]]);
  });

  it("has exact lines and peaks for any course of counts", async () => {
    const database = await store.open();
    const start = fc.integer({ min: midnight, max: midnight + day });
    await fc.assert(
      fc.asyncProperty(start, steps, fc.nat(200), async (start, steps, quarters) => {
        await database.queries.deleteFrom("onlineInterval").execute();
        const history = new History(database);
        const course = new Course(history, start);
        try {
          await course.follow(steps);
          const { model, recorder } = course;
          const since = Math.floor(model.now / quarterHourMs - quarters) * quarterHourMs;
          await assertHistory(history, model, since, recorder.unsaved());
          await recorder.stop();
          await assertHistory(history, model, since);
          assert.deepEqual(course.failures, []);
        } finally {
          await course.recorder.stop();
        }
      }),
      { numRuns: 30 },
    );
  });
});
