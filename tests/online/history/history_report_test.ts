import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import {
  historyReport,
  readHistoryQuery,
  readRange,
  utcMidnight,
} from "../../../online/history/history_report.ts";
import { History } from "../../../online/history/history.ts";
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
      midnight,
    });
    assert.equal(utcMidnight(noon), midnight);
  });

  it("is null for an unknown range or day", () => {
    const midnight = noon - hour;
    assert.equal(read({ range: "year", midnight }), null);
    assert.equal(read({ range: "hour" }), null);
    for (const bad of [noon - 27 * hour, noon + hour, -1, "x", "1e3"]) {
      assert.equal(read({ range: "hour", midnight: bad }), null, String(bad));
    }
  });

  it("is the last hour for a URL without a known range", () => {
    for (const query of ["", "range=year"]) {
      assert.equal(readRange(new URLSearchParams(query)), "hour");
    }
    assert.equal(readRange(new URLSearchParams("range=month")), "month");
  });
});

describeOnEachDatabase("the report of the history", (store) => {
  it("has a point for each interval, gaps, and the day's peak, including unsaved minutes", async () => {
    const history = new History(await store.open());
    const counted = (startsAt: number, users: number) => ({
      ...{ startsAt, mostUsers: users, mostUsersAt: startsAt + 5, fewestUsers: users - 1 },
      ...{
        lastUsers: users,
        lastAt: startsAt + minute,
        mostConnections: users,
        measuredMs: minute,
      },
    });
    await history.record(counted(noon - 3 * minute, 7));
    const unsaved = () => [counted(noon, 4)];
    const asked = { range: "hour" as const, midnight: noon - 12 * hour };
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
});
