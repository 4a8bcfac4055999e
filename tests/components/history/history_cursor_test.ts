import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import {
  cursorText,
  earlierAt,
  nearestPoint,
  usersText,
} from "@/components/history/history_cursor.ts";
import { serverStyle } from "@/components/page/time_text.ts";
import type { HistoryReport } from "@/shared/history.ts";
import { hourOf } from "./history_report_of.ts";

const begin = Date.UTC(2026, 0, 5, 12);
const [minuteMs, dayMs] = [60_000, 24 * 60 * 60_000];

/** An hour beside the one of a day earlier, of which only quarters of an hour are kept. */
const compared: HistoryReport = {
  ...hourOf([1_200], begin),
  compare: "day",
  earlier: {
    offsetMs: dayMs,
    startsAt: begin - dayMs + 15 * minuteMs,
    intervalMs: 15 * minuteMs,
    points: [{ most: 3, fewest: 3 }, null, { most: 8, fewest: 5 }],
  },
};

describe("reading the history at a point", () => {
  it("takes the nearest point, however far beside the line", () => {
    const parts = [-1, 0, 0.49, 0.51, 1, 2];
    assert.deepEqual(parts.map((part) => nearestPoint(part, 1)), [0, 0, 0, 1, 1, 1]);
    assert.equal(nearestPoint(0.5, 0), 0);
  });

  it("has the point of the earlier line that covers the same time", () => {
    const found = [14, 15, 29, 30, 59].map((index) => earlierAt(compared, index)?.most ?? null);
    assert.deepEqual(found, [null, 3, 3, null, 8]);
    assert.equal(earlierAt(hourOf([1], begin), 59), null);
  });

  it("names one number, or the lowest and the highest", () => {
    assert.equal(usersText({ most: 1, fewest: 1 }), "1 user");
    assert.equal(usersText({ most: 61, fewest: 55 }), "55–61 users");
    assert.equal(usersText(null), "No data");
  });

  it("is a sentence for screen readers", () => {
    const text = cursorText(compared, 59, serverStyle);
    assert.match(text, /^12:59.*: 1,200 users; a day earlier: 5–8 users$/);
    assert.match(cursorText(hourOf([1], begin), 0, serverStyle), /: No data$/);
  });
});
