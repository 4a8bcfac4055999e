import assert from "node:assert/strict";
import { peakText, summaryText } from "../../../browser/history/history_text.ts";
import { serverPlace } from "../../../browser/page/time_text.ts";
import { hourOf } from "./history_report_of.ts";

const begin = Date.UTC(2026, 0, 5, 12);

/** Spaces of all widths are spaces. */
function words(text: string): string {
  return text.replace(/\s/gu, " ");
}

Deno.test("the chart in words: now, the most and when, the fewest, and the gaps", () => {
  const report = hourOf([2, 7, null, null, 3, 4], begin);
  assert.equal(
    words(summaryText(report, serverPlace)),
    "Line chart. Users online in the last hour, by the minute: now 4, at most 7 at 12:55 PM UTC, " +
      "at least 2. Not counted from 12:56 PM UTC to 12:58 PM UTC.",
  );
});

Deno.test("the time before the first count is no gap", () => {
  assert.equal(summaryText(hourOf([1], begin), serverPlace).includes("Not counted"), false);
});

Deno.test("many gaps are told by the last ones and their number", () => {
  const numbers = [1, null, 1, null, 1, null, 1, null, 1, null, 1];
  assert.match(summaryText(hourOf(numbers, begin), serverPlace), / and 2 more times\.$/);
});

Deno.test("a history in which nothing was counted says so", () => {
  assert.match(summaryText(hourOf([], begin), serverPlace), /nothing was counted/);
  assert.equal(peakText(hourOf([], begin), serverPlace), "–");
});

Deno.test("the peak is told with its time", () => {
  const report = { ...hourOf([1], begin), peak: { users: 9, at: begin + 5 * 60_000 } };
  assert.equal(words(peakText(report, serverPlace)), "9 at 12:05 PM UTC");
});
