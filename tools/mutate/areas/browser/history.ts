import { mutationsOf } from "../../mutation.ts";

const folder = "tests/browser";

/** The history as pages show it. */
export const history = mutationsOf({
  "browser/history/history_rows.ts": `${folder}/history/history_rows_test.ts`,
  "browser/history/history_text.ts": `${folder}/history/history_text_test.ts`,
  "browser/history/history_ticks.ts": `${folder}/history/history_ticks_test.ts`,
  "browser/history/history_feed.ts": `${folder}/history/history_feed_test.ts`,
  "browser/history/history_status.ts": `${folder}/history/history_status_test.ts`,
  "components/history/History.tsx": "tests/e2e/chromium/history_test.ts",
}, {
  "browser/history/history_rows.ts": [
    [
      "last.counted === null && counted === null",
      "false",
      "each missing minute is a row of the table",
    ],
    ["points.slice(0, -1).every", "points.every", "a history that just began looks empty"],
  ],
  "browser/history/history_text.ts": [
    [
      "other.most > one.most",
      "other.most < one.most",
      "the summary names the lowest point as the highest",
    ],
    ["Math.min(...counted", "Math.max(...counted", "the summary names a wrong lowest number"],
    [
      "if (counted.length === 0) return `${name}: no data.`;",
      "",
      "an empty history is a broken sentence",
    ],
    ["rows.slice(first)", "rows", "the time before the first start counts as a gap"],
    ["gaps.slice(-3)", "gaps", "the summary lists each gap"],
    ['others === 1 ? "period" : "periods"', '"periods"', "it says 1 other periods"],
    [
      'last ? `now ${numberText(last.most)}, ` : ""',
      '""',
      "the summary does not say how many are online now",
    ],
  ],
  "browser/history/history_ticks.ts": [
    ["date.getMinutes() === 0 && ", "", "marks of hours stand at quarters"],
    [
      "last.getDate() - back",
      "last.getDate() - back, 12",
      "marks of days stand in the middle of days",
    ],
    [
      "new Date(last.getFullYear(), last.getMonth(), last.getDate() - back).getTime()",
      "new Date(until).setHours(0, 0, 0, 0) - back * 86_400_000",
      "marks of days are off after a change to summer time",
    ],
    ["at <= until;", "at < until;", "the last mark is missing"],
    ['isNarrow ? "narrow" : "wide"', '"wide"', "marks overlap on a phone"],
  ],
  "browser/history/history_feed.ts": [
    [
      "if (isDue && !document.hidden)",
      "if (isDue)",
      "hidden pages ask for the history all the time",
    ],
    [
      "if (mine.signal.aborted) return;",
      "",
      "a late answer replaces that of the range that was chosen",
    ],
    ["    isDue = false;\n", "", "each look at the page asks for the history"],
    [
      "requestIn(report ? untilNextMinute(report) : retryMs)",
      "requestIn(retryMs)",
      "pages ask for the history six times a minute",
    ],
    ["setHours(0, 0, 0, 0)", "setUTCHours(0, 0, 0, 0)", "today's peak is that of a day of UTC"],
    [
      "      clearTimeout(timer);\n      pending",
      "      pending",
      "the history of a range that the reader left is still asked for",
    ],
    ["else listener.failed();", "", "a history that cannot be asked for looks current"],
  ],
  "browser/history/history_status.ts": [
    ["!isBehind && ", "", "a line that did not arrive looks current"],
    [
      '(isCurrent(status) || status === "connecting")',
      "true",
      "the line of a lost connection looks current",
    ],
  ],
  "components/history/History.tsx": [
    [
      'address.searchParams.set("range", choice.range);',
      "",
      "a reload forgets the range that was chosen",
    ],
  ],
});
