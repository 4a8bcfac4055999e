import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import {
  historyReport,
  readChoice,
  readHistoryQuery,
  utcMidnight,
} from "@/server/history/history_report.ts";
import { History } from "@/server/history/stored_history.ts";
import { describeOnEachDatabase } from "../../fixtures/databases.ts";

const [minute, hour] = [60_000, 3_600_000];
const noon = Date.UTC(2026, 0, 5, 12);

function read(query: Record<string, string | number>) {
  const text = Object.entries(query).map(([name, value]) => `${name}=${value}`).join("&");
  return readHistoryQuery(new URLSearchParams(text), noon);
}

describe("the query of the history", () => {
  it("rounds the start of the reader's day down to a quarter hour", () => {
    const midnight = noon - 12 * hour;
    assert.deepEqual(read({ range: "day", midnight: midnight + 7 * minute }), {
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
    lastAt: startsAt + minute,
    mostConnections: users,
    measuredMs: minute,
  };
}

describeOnEachDatabase("the report of the history", (store) => {
  it("has a point for each interval, gaps, and the day's peak, including unsaved minutes", async () => {
    const history = new History(await store.open());
    await history.record(counted(noon - 3 * minute, 7));
    const unsaved = () => [counted(noon, 4)];
    const asked = { range: "hour" as const, compare: null, midnight: noon - 12 * hour };
    const report = await historyReport({ history, unsaved }, asked, noon + 1);
    assert.equal(report.points.length, 60);
    assert.equal(report.startsAt, noon - 59 * minute);
    assert.deepEqual(report.points.slice(-5), [
      null,
      { most: 7, fewest: 6 },
      null,
      null,
      { most: 4, fewest: 3 },
    ]);
    assert.deepEqual(report.peak, { users: 7, at: noon - 3 * minute + 5 });
    const later = { ...asked, midnight: noon };
    const { peak } = await historyReport({ history, unsaved }, later, noon + 1);
    assert.deepEqual(peak, { users: 4, at: noon + 5 });
  });

  it("has the line of a day or a week earlier, in the shortest intervals that are kept", async () => {
    const history = new History(await store.open());
    const [day, week] = [24 * hour, 7 * 24 * hour];
    await history.record(counted(noon - week - 20 * minute, 9));
    await history.record(counted(noon - day - 2 * minute, 5));
    await history.thinSome(noon);
    const asked = { range: "hour" as const, midnight: noon - 12 * hour };
    const recorded = { history, unsaved: () => [counted(noon, 4)] };
    const report = (compare: "day" | "week") =>
      historyReport(recorded, { ...asked, compare }, noon + 1);
    const { earlier: yesterday } = await report("day");
    assert.deepEqual([yesterday?.intervalMs, yesterday?.points.length], [minute, 60]);
    assert.equal(yesterday?.startsAt, noon - day - 59 * minute);
    assert.deepEqual(yesterday?.points.slice(-3), [{ most: 5, fewest: 4 }, null, null]);
    const { earlier: lastWeek } = await report("week");
    assert.equal(lastWeek?.intervalMs, 15 * minute);
    assert.deepEqual(lastWeek?.points, [null, { most: 9, fewest: 8 }, null, null]);
  });
});
