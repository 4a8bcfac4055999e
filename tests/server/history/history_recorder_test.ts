import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { History } from "@/server/history/stored_history.ts";
import { HistoryRecorder } from "@/server/history/history_recorder.ts";
import type { Interval } from "@/server/history/minute_measure.ts";
import {
  historyReport,
  readChoice,
  readHistoryQuery,
  utcMidnight,
  WallboardHours,
} from "@/server/history/history_report.ts";
import { describeOnDatabase } from "../../fixtures/databases.ts";
import { ManualClock } from "../../realtime/manual_clock.ts";
import { settled } from "../../fixtures/eventually.ts";
import { partOf } from "../../fixtures/doubles.ts";
import { withTimeout } from "../../fixtures/with_timeout.ts";

const minute = 60_000;
const none = { users: 0, connections: 0 };

/** A history that stores minutes in memory, or fails on request. */
class FakeHistory {
  readonly minutes: Interval[] = [];
  readonly thinned: number[] = [];
  failure: Error | null = null;
  thinningFailure: Error | null = null;

  record(minute: Interval): Promise<void> {
    if (this.failure) return Promise.reject(this.failure);
    this.minutes.push(minute);
    return Promise.resolve();
  }

  /** Calls that leave old intervals. */
  unfinished = 0;

  thinSome(now: number): Promise<boolean> {
    if (this.thinningFailure) return Promise.reject(this.thinningFailure);
    this.thinned.push(now);
    return Promise.resolve(--this.unfinished < 0);
  }
}

function started(at = 0) {
  const clock = new ManualClock();
  clock.advance(at);
  const history = new FakeHistory();
  const failures: unknown[] = [];
  const failed = (error: unknown) => failures.push(error);
  const recorder = new HistoryRecorder(none, partOf(history), failed, clock);
  return { clock, history, failures, recorder };
}

describe("the history recorder", () => {
  it("stores each minute soon after it is over, also when the counts do not change", async () => {
    const { clock, history, recorder } = started(30_000);
    recorder.changed({ users: 2, guests: 1, connections: 3 });
    clock.advance(minute + 31_000);
    await settled();
    assert.deepEqual(history.minutes, [{
      startsAt: 0,
      mostUsers: 2,
      mostUsersAt: 30_000,
      guestsAtMost: 1,
      fewestUsers: 0,
      lastUsers: 2,
      lastAt: minute,
      mostConnections: 3,
      measuredMs: 30_000,
    }, {
      startsAt: minute,
      mostUsers: 2,
      mostUsersAt: minute,
      guestsAtMost: 1,
      fewestUsers: 2,
      lastUsers: 2,
      lastAt: 2 * minute,
      mostConnections: 3,
      measuredMs: minute,
    }]);
    await recorder.stop();
    assert.equal(clock.timers, 0);
  });

  it("returns the unfinished minute as unsaved", async () => {
    const { clock, recorder } = started();
    recorder.changed({ users: 5, connections: 5 });
    clock.advance(10_000);
    recorder.changed({ users: 4, connections: 4 });
    clock.advance(1_000);
    const [{ mostUsers, lastUsers, measuredMs }] = recorder.unsaved();
    assert.deepEqual([mostUsers, lastUsers, measuredMs], [5, 4, 11_000]);
    await recorder.stop();
  });

  it("stores minutes in order after the database failed", async () => {
    const { clock, history, failures, recorder } = started();
    history.failure = new Error("out of reach");
    for (let users = 1; users <= 10; users++) {
      recorder.changed({ users, connections: users });
      clock.advance(minute);
      await settled();
    }
    assert(failures.length > 0 && failures.every((failure) => failure === history.failure));
    assert.deepEqual(history.minutes, []);
    assert.deepEqual(recorder.unsaved().map(({ lastUsers }) => lastUsers), numbers(1, 10));
    history.failure = null;
    clock.advance(30_000);
    await settled();
    assert.deepEqual(history.minutes.map(({ lastUsers }) => lastUsers), numbers(1, 10));
    await recorder.stop();
    assert.deepEqual(recorder.unsaved(), []);
  });

  it("holds the minutes of one day, and stops, while the database keeps failing", async () => {
    const { clock, history, recorder } = started();
    history.failure = new Error("out of reach");
    for (let hour = 0; hour < 30; hour++) {
      clock.advance(60 * minute);
      await settled();
    }
    const held = recorder.unsaved();
    assert.equal(held.length, 24 * 60);
    assert.equal(held[0].startsAt, 6 * 60 * minute);
    await recorder.stop();
    assert.equal(clock.timers, 0);
  });

  it("stores a minute in which the number was not certain as such", async () => {
    const clock = new ManualClock();
    const certain: boolean[] = [];
    const failed = (error: unknown) => assert.fail(String(error));
    const record = (_: Interval, isCertain: boolean) => {
      certain.push(isCertain);
      return Promise.resolve();
    };
    let isCertain = true;
    const history = partOf<History>({ record, thinSome: () => Promise.resolve(true) });
    const recorder = new HistoryRecorder(none, history, failed, clock, () => isCertain);
    clock.advance(minute);
    isCertain = false;
    recorder.changed({ users: 5, connections: 5 });
    isCertain = true;
    clock.advance(minute);
    clock.advance(minute);
    await recorder.stop();
    assert.deepEqual(certain.slice(0, 3), [true, false, true]);
  });

  it("deletes old intervals once an hour, and stores the minute also when that fails", async () => {
    const { clock, history, failures, recorder } = started(58 * minute);
    history.thinningFailure = new Error("out of reach");
    clock.advance(4 * minute);
    await settled();
    assert.deepEqual([failures, history.thinned], [[history.thinningFailure], []]);
    history.thinningFailure = null;
    clock.advance(64 * minute);
    await settled();
    assert.deepEqual(history.thinned, [120 * minute]);
    assert.deepEqual(history.minutes.map(({ startsAt }) => startsAt / minute), numbers(58, 125));
    await recorder.stop();
  });

  it("deletes the rest of very many old intervals with the minutes that follow", async () => {
    const { clock, history, recorder } = started(58 * minute);
    history.unfinished = 2;
    clock.advance(10 * minute);
    await settled();
    assert.deepEqual(history.thinned, [60 * minute, 61 * minute, 62 * minute]);
    await recorder.stop();
  });
});

describeOnDatabase("the recorder", (store) => {
  it("stores every minute once a database that failed is back", async () => {
    const history = new History(await store.open());
    const clock = new ManualClock();
    const { promise: failure, resolve: failed } = Promise.withResolvers<unknown>();
    const recorder = new HistoryRecorder(none, history, failed, clock);
    await store.query(`alter table "onlineInterval" rename to "elsewhere"`);
    recorder.changed({ users: 7, connections: 8 });
    clock.advance(10 * minute);
    const error = await withTimeout(failure, "the recorder had reported a failure");
    assert.match(String(error), /onlineInterval/);
    await store.query(`alter table "elsewhere" rename to "onlineInterval"`);
    await recorder.stop();
    const { points } = await history.read("hour", clock.date());
    assert.equal(points.filter(({ measured }) => measured?.lastUsers === 7).length, 10);
  });
});

function numbers(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

const [minuteMs, hour] = [60_000, 3_600_000];
const noon = Date.UTC(2026, 0, 5, 12);

function read(query: Record<string, string | number>) {
  const text = Object.entries(query).map(([name, value]) => `${name}=${value}`).join("&");
  return readHistoryQuery(new URLSearchParams(text), noon);
}

describe("the query of the history", () => {
  it("rounds the start of the reader's day down to a quarter hour", () => {
    const midnight = noon - 12 * hour;
    assert.deepEqual(read({ range: "day", midnight: midnight + 7 * minuteMs }), {
      range: "day",
      compare: null,
      midnight,
    });
    assert.equal(utcMidnight(noon), midnight);
  });

  it("is null for an unknown range or day", () => {
    const midnight = noon - hour;
    assert.equal(read({ range: "year", midnight }), null);
    assert.equal(read({ range: "hour", midnight, compare: "month" }), null);
    assert.equal(read({ range: "hour", midnight, compare: "year" }), null);
    assert.equal(read({ range: "hour", midnight, compare: "week" })?.compare, "week");
    assert.equal(read({ range: "hour" }), null);
    for (const bad of [noon - 27 * hour, noon + hour, -1, "x", "1e3"]) {
      assert.equal(read({ range: "hour", midnight: bad }), null, String(bad));
    }
  });

  it("is the last hour for a URL without a known range", () => {
    for (const query of ["", "range=year"]) {
      assert.deepEqual(readChoice(new URLSearchParams(query)), { range: "hour", compare: null });
    }
    for (
      const [query, range, compare] of [
        ["range=month", "month", null],
        ["range=day&compare=week", "day", "week"],
        ["range=month&compare=week", "month", null],
        ["compare=x", "hour", null],
      ]
    ) assert.deepEqual(readChoice(new URLSearchParams(query!)), { range, compare });
  });
});

/** A minute with at most this many users. */
function counted(startsAt: number, users: number) {
  return {
    startsAt,
    mostUsers: users,
    mostUsersAt: startsAt + 5,
    fewestUsers: users - 1,
    lastUsers: users,
    lastAt: startsAt + minuteMs,
    mostConnections: users,
    measuredMs: minuteMs,
  };
}

describeOnDatabase("the report of the history", (store) => {
  it("has a point for each interval, gaps, and the day's peak, including unsaved minutes", async () => {
    const history = new History(await store.open());
    await history.record({ ...counted(noon - 3 * minuteMs, 7), guestsAtMost: 5 });
    const unsaved = () => [counted(noon, 4)];
    const asked = { range: "hour" as const, compare: null, midnight: noon - 12 * hour };
    const report = await historyReport({ history, unsaved }, asked, noon + 1);
    assert.equal(report.points.length, 60);
    assert.equal(report.startsAt, noon - 59 * minuteMs);
    assert.deepEqual(report.points.slice(-5), [
      null,
      { most: 7, fewest: 6, guests: 5 },
      null,
      null,
      { most: 4, fewest: 3 },
    ]);
    assert.deepEqual(report.peak, { users: 7, at: noon - 3 * minuteMs + 5, guests: 5 });
    const none = { history, unsaved: () => [{ ...counted(noon + hour, 4), guestsAtMost: 0 }] };
    const { points } = await historyReport(none, asked, noon + hour);
    assert.deepEqual(points.at(-1), { most: 4, fewest: 3 });
    const later = { ...asked, midnight: noon };
    const { peak } = await historyReport({ history, unsaved }, later, noon + 1);
    assert.deepEqual(peak, { users: 4, at: noon + 5 });
  });

  it("has the last hour of wallboards, with the peak of the day in a zone, read once a minute", async () => {
    const history = new History(await store.open());
    await history.record({ ...counted(noon - 13 * hour, 9), guestsAtMost: 5 });
    await history.record(counted(noon - 6 * minuteMs, 7));
    let reads = 0;
    const unsaved = () => [counted(noon, ++reads)];
    const hours = new WallboardHours({ history, unsaved }, "UTC");
    const [record, peak] = [{ users: 9, at: noon - 13 * hour + 5 }, {
      users: 7,
      at: noon - 6 * minuteMs + 5,
    }];
    const { most, ...others } = await hours.at(noon + 1);
    const startsAt = noon - 59 * minuteMs;
    assert.deepEqual(others, { at: noon + 1, startsAt, before: 7, peak, record });
    assert.deepEqual(most.slice(-7), [7, null, null, null, null, null, 1]);
    assert.equal((await hours.at(noon + minuteMs - 1)).most.at(-1), 1);
    assert.equal((await hours.at(noon + minuteMs)).at, noon + minuteMs);
    const tokyo = new WallboardHours({ history, unsaved }, "Asia/Tokyo");
    assert.deepEqual((await tokyo.at(noon + 1)).peak, record);
  });

  it("has the line of a day or a week earlier, in the shortest intervals that are kept", async () => {
    const history = new History(await store.open());
    const [day, week] = [24 * hour, 7 * 24 * hour];
    await history.record(counted(noon - week - 20 * minuteMs, 9));
    await history.record(counted(noon - day - 2 * minuteMs, 5));
    await history.thinSome(noon);
    const asked = { range: "hour" as const, midnight: noon - 12 * hour };
    const recorded = { history, unsaved: () => [counted(noon, 4)] };
    const report = (compare: "day" | "week") =>
      historyReport(recorded, { ...asked, compare }, noon + 1);
    const { earlier: yesterday } = await report("day");
    assert.deepEqual([yesterday?.intervalMs, yesterday?.points.length], [minuteMs, 60]);
    assert.equal(yesterday?.startsAt, noon - day - 59 * minuteMs);
    assert.deepEqual(yesterday?.points.slice(-3), [{ most: 5, fewest: 4 }, null, null]);
    const { earlier: lastWeek } = await report("week");
    assert.equal(lastWeek?.intervalMs, 15 * minuteMs);
    assert.deepEqual(lastWeek?.points, [null, { most: 9, fewest: 8 }, null, null]);
  });
});
