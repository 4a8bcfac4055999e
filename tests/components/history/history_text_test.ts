import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { lineText, peakText, summaryText } from "@/components/history/history_text.ts";
import { serverStyle } from "@/components/page/time_text.ts";
import { hourOf } from "./history_report_of.ts";

const begin = Date.UTC(2026, 0, 5, 12);

describe("the title of a history", () => {
  it("names the range and the interval", () => {
    assert.equal(lineText("hour"), "Users online, last hour (per minute)");
    assert.equal(lineText("day"), "Users online, last 24 hours (per 15 minutes)");
    assert.equal(lineText("month"), "Users online, last 30 days (per 6 hours)");
  });
});

describe("the text alternative of a history", () => {
  it("has the present number, the highest with its time, the lowest, and the gaps", () => {
    const report = hourOf([2, 7_000, null, null, 3, 4], begin);
    assert.equal(
      summaryText(report, serverStyle),
      "Line chart, Users online, last hour (per minute): now 4, highest 7,000 at 12:55 UTC, " +
        "lowest 2. No data from 12:56 UTC to 12:58 UTC.",
    );
  });

  it("does not call the time before the first count a gap", () => {
    assert.equal(summaryText(hourOf([1], begin), serverStyle).includes("No data"), false);
  });

  it("names the last three gaps and the number of the others", () => {
    const numbers = [1, null, 1, null, 1, null, 1, null, 1, null, 1];
    assert.match(summaryText(hourOf(numbers, begin), serverStyle), / and 2 other periods\.$/);
    const one = summaryText(hourOf(numbers.slice(2), begin), serverStyle);
    assert.match(one, / and 1 other period\.$/);
  });

  it("says that there is no data when nothing was counted", () => {
    assert.match(summaryText(hourOf([], begin), serverStyle), /: no data\.$/);
  });
});

describe("the peak of today", () => {
  it("has its time, and is a dash when nothing was counted", () => {
    const report = { ...hourOf([1], begin), peak: { users: 9, at: begin + 5 * 60_000 } };
    assert.equal(peakText(report, serverStyle), "9 at 12:05 UTC");
    assert.equal(peakText(hourOf([], begin), serverStyle), "–");
  });
});
