import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { FakeTime } from "@std/testing/time";
import fc from "fast-check";
import {
  cursorText,
  earlierAt,
  nearestPoint,
  usersText,
} from "@/components/history/history_cursor.ts";
import { serverStyle, timeText } from "@/components/page/time_text.ts";
import type { HistoryContext, HistoryRange, HistoryReport } from "@/shared/history.ts";
import { followHistory, isUpToDate } from "@/components/history/history_feed.ts";
import { stretches, tickTimes } from "@/components/history/history_line.ts";
import { historyChartConfiguration } from "@/components/history/history_chart.ts";
import { historyRows, isJustBegun } from "@/components/history/history_rows.ts";
import { eventText, marksOf } from "@/components/history/EventsCard.tsx";
import { numberedEvents } from "@/components/history/numbered_events.ts";
import {
  captionText,
  changeText,
  highestOf,
  lineText,
  peakText,
  summaryText,
  usualText,
} from "@/components/history/history_text.ts";
import {
  averageText,
  dateText,
  recordedText,
  weekdayNames,
} from "@/components/history/numbers_text.ts";
import { inLanguage, languages } from "@/server/language/languages.ts";
import { hourOf } from "./history_report_of.ts";
import { clockChanges } from "../../fixtures/clock_changes.ts";

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

describe("a history that knows how many were active", () => {
  it("says which line that is", () => {
    const report = hourOf([3], begin);
    assert.doesNotMatch(captionText(report), /active/);
    const points = [...report.points.slice(0, -1), { most: 3, fewest: 2, active: 0 }];
    assert.match(captionText({ ...report, points }), /; dashed: active$/);
  });
});

describe("a history that knows of guests", () => {
  const last = { most: 235, fewest: 230, guests: 204 };
  const report = hourOf([3, null, 7], begin);
  const points = [...report.points.slice(0, -1), last];
  const peak = { users: 235, at: begin, guests: 204 };
  const [apart, unknown] = [{ ...report, points, peak }, report];

  it("says how many users and how many guests the numbers were, and the peak in sum", () => {
    assert.match(captionText(apart), /^Users and guests online, .*; dotted: guests$/);
    assert.equal(peakText(peak, "minute", serverStyle), "235 at 12:00 UTC");
    assert.equal(usersText(last), "230–235 (31 users, 204 guests)");
    assert.equal(
      usersText({ most: 2, fewest: 2, guests: 1, active: 1 }),
      "2 (1 user, 1 guest), 1 active",
    );
    assert.match(
      summaryText(apart, serverStyle),
      /now 235 \(31 users, 204 guests\), highest 235 \(31 users, 204 guests\) at /,
    );
  });

  it("has a dotted line of them where they are known", () => {
    const look = { bar: "green", text: "grey", grid: "white", font: "sans", animated: false };
    const dotted = (report: HistoryReport) =>
      historyChartConfiguration(report, look).data.datasets
        .filter((dataset) => "borderDash" in dataset && String(dataset.borderDash) === "2,4")
        .map(({ data }) => data.slice(-3).map(({ y }) => y));
    assert.deepEqual(dotted(apart), [[NaN, NaN, 204]]);
    assert.deepEqual(dotted(unknown), [[NaN, NaN, NaN]]);
  });

  it("claims nothing where none is known, nor where there was none", () => {
    assert.doesNotMatch(captionText(unknown), /guest/);
    assert.doesNotMatch(summaryText(unknown, serverStyle), /guest/);
    for (const guests of [{}, { guests: 0 }]) {
      assert.equal(usersText({ most: 7, fewest: 7, ...guests }), "7 users");
      const peak = { users: 7, at: begin, ...guests };
      assert.equal(peakText(peak, "minute", serverStyle), "7 at 12:00 UTC");
    }
  });
});

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
    assert.equal(usersText({ most: 61, fewest: 55, active: 21 }), "55–61 users, 21 active");
    assert.equal(usersText({ most: 61, fewest: 55 }), "55–61 users");
    assert.equal(usersText(null), "No data");
  });

  it("is a sentence for screen readers", () => {
    const text = cursorText(compared, 59, serverStyle);
    assert.match(text, /^12:59.*: 1,200 users; a day earlier: 5–8 users$/);
    assert.match(cursorText(hourOf([1], begin), 0, serverStyle), /: No data$/);
  });
});

describe("what happened in a history", () => {
  const mark = (at: number, text: string) => (
    { kind: "mark" as const, id: text, at, text, createdBy: "Deploys" }
  );
  const report = hourOf([3, null, null, 7], begin);
  const marks = marksOf(report, [
    ...["e", "d", "c", "b", "a"].map((text) => mark(begin + 59 * minuteMs, text)),
    mark(begin + 57 * minuteMs + 59_999, "Deployed; twice"),
    mark(begin + 60 * minuteMs, "Ahead"),
  ]);
  const marked = { ...report, marks };

  it("is at the point of its time, at most three of one, the newest first", () => {
    assert.deepEqual(marks, { 57: "Deployed; twice", 59: "e; d; c and 2 more" });
  });

  it("is read at that point and in its row, also of a gap, and nowhere else", () => {
    const read = report.points.map((_, index) => cursorText(marked, index, serverStyle));
    assert.match(read[57], /: No data; Deployed; twice$/);
    assert.match(read[59], /: 7 users; e; d; c and 2 more$/);
    assert.equal(read.filter((text) => /Deployed|and 2 more/.test(text)).length, 2);
    const rows = historyRows(marked);
    assert.deepEqual(
      rows.slice(-3).map(({ from, until, mark }) => [(until - from) / minuteMs, mark]),
      [[1, undefined], [2, "Deployed; twice"], [1, "e; d; c and 2 more"]].slice(0, 3),
    );
  });

  it("is a dotted line over the whole height", () => {
    const look = { bar: "green", text: "grey", grid: "white", font: "sans", animated: false };
    const lines = historyChartConfiguration(marked, look).data.datasets.at(-1)!;
    assert.partialDeepStrictEqual(lines, { borderDash: [1, 3], yAxisID: "y2" });
    const of = (index: number) => [0, 1, NaN].map((y) => ({ x: begin + index * minuteMs, y }));
    assert.deepEqual(lines.data, [...of(57), ...of(59)]);
  });
});

/** A report that was made just before the end of its last minute. */
const known = hourOf([3], begin);

/** An answer that is read without waiting for the event loop; undefined is no JSON. */
function answerOf(report: HistoryReport | undefined): Response {
  const json = () => report ? Promise.resolve(report) : Promise.reject(new SyntaxError());
  return Object.assign(new Response(), { json });
}

describe("the history that a page follows", () => {
  const originalFetch = globalThis.fetch;
  let time: FakeTime;
  let page: EventTarget & { hidden: boolean; documentElement: { dataset: object } };
  let asked: URL[];
  let answer: (signal: AbortSignal) => Promise<Response>;
  let reports: HistoryReport[];
  let failures: number;
  const listener = {
    reported: (report: HistoryReport) => void reports.push(report),
    failed: () => void failures++,
  };

  beforeEach(() => {
    time = new FakeTime(known.at);
    page = Object.assign(new EventTarget(), {
      hidden: false,
      documentElement: { dataset: {} },
    });
    Object.assign(globalThis, { document: page });
    [asked, reports, failures] = [[], [], 0];
    answer = () => Promise.resolve(answerOf({ ...known, at: Date.now() }));
    globalThis.fetch = (input, init) => {
      asked.push(new URL(String(input), "https://rollcall.example"));
      return answer(init?.signal ?? assert.fail("the request cannot be aborted"));
    };
  });
  afterEach(() => {
    globalThis.fetch = originalFetch;
    Reflect.deleteProperty(globalThis, "document");
    time.restore();
  });

  const passSeconds = async (seconds: number) => {
    for (let second = 0; second < seconds; second++) await time.tickAsync(1_000);
  };

  it("is requested soon after each minute, with the start of the reader's day", async () => {
    const followed = followHistory({ range: "hour", compare: null }, known, listener);
    for (let minute = 1; minute <= 3; minute++) {
      await passSeconds(10);
      assert.deepEqual([asked.length, reports.length], [minute, minute]);
      await passSeconds(50);
    }
    const midnight = new Date(begin).setHours(0, 0, 0, 0);
    assert.equal(asked[0].searchParams.get("midnight"), String(midnight));
    assert.equal(asked[0].searchParams.get("range"), "hour");
    followed.stop();
    await time.tickAsync(120_000);
    assert.equal(asked.length, 3, "not after the end");
  });

  it("is requested at once for another range", async () => {
    const followed = followHistory({ range: "day", compare: null }, known, listener);
    await time.tickAsync(0);
    assert.equal(asked.length, 1);
    followed.stop();
  });

  it("is not requested while the page is hidden, and at once when it is seen again", async () => {
    const followed = followHistory({ range: "hour", compare: null }, known, listener);
    page.hidden = true;
    await time.tickAsync(600_000);
    assert.equal(asked.length, 0);
    page.hidden = false;
    page.dispatchEvent(new Event("visibilitychange"));
    await time.tickAsync(0);
    assert.equal(asked.length, 1);
    page.dispatchEvent(new Event("visibilitychange"));
    await time.tickAsync(0);
    assert.equal(asked.length, 1, "not before the next minute");
    followed.stop();
  });

  for (
    const [what, failing] of [
      ["the network fails", () => Promise.reject(new TypeError("Failed to fetch"))],
      [
        "the server answers with a failure",
        () => Promise.resolve(new Response(null, { status: 503 })),
      ],
      ["the answer is not JSON", () => Promise.resolve(answerOf(undefined))],
    ] as const
  ) {
    it(`is requested again ten seconds after ${what}`, async () => {
      answer = failing;
      const followed = followHistory({ range: "day", compare: null }, known, listener);
      await time.tickAsync(9_999);
      assert.deepEqual([asked.length, failures, reports.length], [1, 1, 0]);
      await time.tickAsync(1);
      assert.equal(asked.length, 2);
      followed.stop();
    });
  }

  it("is not reported by a request that a newer one replaced, nor after the end", async () => {
    const answers: ((response: Response) => void)[] = [];
    answer = () => new Promise((resolve) => answers.push(resolve));
    const followed = followHistory({ range: "day", compare: null }, known, listener);
    followed.refresh();
    const [late, last] = answers;
    late(answerOf({ ...known, intervalMs: 1 }));
    await time.tickAsync(0);
    assert.deepEqual(reports, []);
    followed.stop();
    last(answerOf(known));
    await time.tickAsync(600_000);
    assert.deepEqual([reports.length, failures, asked.length], [0, 0, 2]);
  });
});

it("the line of the history is drawn as up to date at first and while its page is live", () => {
  for (const status of ["connecting", "live"] as const) {
    assert.equal(isUpToDate(status, false), true, status);
    assert.equal(isUpToDate(status, true), false, `${status}, but the history did not arrive`);
  }
  for (const status of ["reconnecting", "outdated", "refused"] as const) {
    assert.equal(isUpToDate(status, false), false, status);
  }
});

describe("the stretches of a history's line", () => {
  it("are the points between gaps, in order, none of them empty", () => {
    const line = [NaN, 1, 2, NaN, NaN, 0, NaN].map((y, x) => ({ x, y }));
    assert.deepEqual(stretches(line).map((points) => points.map(({ x }) => x)), [[1, 2], [5]]);
  });
});

describe("the rows of a history", () => {
  it("cover the whole time in order, with one row for each gap", () => {
    const numbers = fc.array(fc.option(fc.nat(9)), { maxLength: 60 });
    fc.assert(fc.property(numbers, (numbers) => {
      const report = hourOf(numbers, begin);
      const rows = historyRows(report);
      assert.equal(rows[0].from, begin);
      assert.equal(rows.at(-1)?.until, begin + 60 * 60_000);
      for (const [index, row] of rows.slice(1).entries()) {
        assert.equal(row.from, rows[index].until);
        assert.ok(row.counted || rows[index].counted, "two gaps follow each other");
      }
      const counted = rows.filter((row) => row.counted).map((row) => [row.from, row.counted?.most]);
      const expected = report.points.flatMap((point, index) =>
        point ? [[begin + index * 60_000, point.most]] : []
      );
      assert.deepEqual(counted, expected);
    }));
  });

  it("have just begun when only the current interval has data", () => {
    assert.equal(isJustBegun(hourOf([3], begin)), true);
    assert.equal(isJustBegun(hourOf([3, 3], begin)), false);
    assert.equal(isJustBegun(hourOf([3, null, 3], begin)), false);
  });
});

describe("the title of a history", () => {
  it("names the range and the interval", () => {
    const titleOf = (range: HistoryRange, guests?: number) =>
      lineText({ ...hourOf([], begin), points: [null, { most: 7, fewest: 7, guests }], range });
    assert.equal(titleOf("hour"), "Users online, last hour (per minute)");
    assert.equal(titleOf("day"), "Users online, last 24 hours (per 15 minutes)");
    assert.equal(titleOf("month"), "Users online, last 30 days (per 6 hours)");
    assert.equal(titleOf("month", 1), "Users and guests online, last 30 days (per 6 hours)");
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

describe("whether the number is high or low", () => {
  const known = (context: Partial<HistoryContext>) => {
    const report = hourOf([1], begin);
    return { ...report, context: { ...report.context, ...context } };
  };

  it("is told by its change in five minutes, and by nothing where there was none", () => {
    assert.equal(changeText(12, known({ before: 6 }).context), "▲ 6");
    assert.equal(changeText(1_000, known({ before: 2_234 }).context), "▼ 1,234");
    assert.equal(changeText(6, known({ before: 6 }).context), null);
    assert.equal(changeText(6, known({}).context), null);
    assert.equal(changeText(null, known({ before: 6 }).context), null);
  });

  it("is told by what is usual on this weekday at this time", () => {
    const text = (users: number | null, usual: number | null) => usualText(users, known({ usual }));
    assert.equal(text(61, 50), "22% above usual");
    assert.equal(text(0, 50), "100% below usual");
    assert.equal(text(1_001, 1_000), "As usual");
    assert.deepEqual([text(61, null), text(61, 0), text(null, 50)], [null, null, null]);
  });
});

describe("a peak", () => {
  it("has its time or its day, and is a dash when nothing was counted", () => {
    const peak = { users: 1_204, at: begin + 5 * 60_000 };
    assert.equal(peakText(peak, "minute", serverStyle), "1,204 at 12:05 UTC");
    assert.equal(peakText(peak, "date", serverStyle), "1,204 on Jan 5 UTC");
    assert.equal(peakText(null, "minute", serverStyle), "–");
  });

  it("has no peak below a number that was seen since midnight", () => {
    const [reported, seen] = [{ users: 5, at: begin }, { users: 7, at: begin + 1 }];
    assert.equal(highestOf(reported, seen, begin), seen);
    assert.equal(highestOf(null, seen, begin), seen);
    assert.equal(highestOf(seen, reported, begin), seen);
    assert.equal(highestOf(reported, seen, begin + 2), reported, "of yesterday");
    assert.equal(highestOf(reported, null, begin), reported);
  });
});

it("an alert among the events says what it counts, in which direction, and its number", () => {
  const alert = { kind: "alert", at: begin, users: 1_204, threshold: 1_200 } as const;
  assert.equal(
    eventText({ ...alert, phase: "active", direction: "up" }),
    "Alert (≥ 1,200 online): 1,204",
  );
  assert.equal(
    eventText({ ...alert, phase: "active", direction: "down", onlyActive: true, users: 3 }),
    "Alert (< 1,200 active): 3",
  );
  assert.equal(
    eventText({ ...alert, phase: "normal", direction: "down", onlyActive: true }),
    "Back to normal: 1,204 active",
  );
});

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];

const spans = { hour: 59 * minute, day: day - 15 * minute, month: 30 * day - 6 * hour };

describe("the marks of the time axis", () => {
  it("are few, in order, within the range, and at round times of the reader's day", () => {
    const near = clockChanges().map((at) => fc.integer({ min: at - 31 * day, max: at + day }));
    const start = fc.oneof(fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2030, 0) }), ...near);
    const range = fc.constantFrom("hour" as const, "day" as const, "month" as const);
    fc.assert(
      fc.property(start, range, fc.boolean(), (start, range, isNarrow) => {
        const [from, until] = [start, start + spans[range]];
        const times = tickTimes(range, from, until, isNarrow);
        const most = isNarrow ? 6 : 11;
        assert.ok(times.length >= 3 && times.length <= most, `${times.length} marks`);
        assert.deepEqual(times, times.toSorted((a, b) => a - b));
        assert.ok(times[0] >= from && times.at(-1)! <= until);
        for (const at of times) {
          const date = new Date(at);
          assert.equal(date.getMinutes() % 15, 0);
          if (range !== "hour") assert.equal(date.getMinutes(), 0);
          if (range === "month") assert.notEqual(new Date(at - 1).getDate(), date.getDate());
        }
      }),
      { numRuns: 300 },
    );
  });

  it("include the ends of the range", () => {
    const from = Date.UTC(2026, 0, 5, 12);
    const times = tickTimes("hour", from, from + hour, false);
    assert.deepEqual([times[0], times.at(-1)], [from, from + hour]);
  });
});

describe("the numbers of days", () => {
  const texts = () => [
    dateText("2026-03-29"),
    dateText("2026-03-29", true),
    timeText(Date.UTC(2026, 2, 29, 16, 45), "dateAndMinute", {
      ...serverStyle,
      zone: "Europe/Berlin",
    }),
    averageText(4),
    averageText(1_200.4),
    weekdayNames().slice(5).join(),
    recordedText({ startsAt: 0, endsAt: 1_000_000, recordedSeconds: 975 }),
  ];

  it("have dates and digits as English has them, where the reader has no other language", () => {
    assert.deepEqual(texts(), [
      "Sun, Mar 29",
      "Mar 29, 2026",
      "Mar 29, 18:45",
      "4.0",
      "1,200",
      "Sat,Sun",
      "97%",
    ]);
  });

  it("have them as the reader's language has them", () => {
    assert.deepEqual(inLanguage(languages.get("de"), texts), [
      "So., 29. März",
      "29.03.2026",
      "29. März, 18:45",
      "4,0",
      "1.200",
      "Sa,So",
      "97\u00a0%",
    ]);
  });
});

describe("the events in the chart of days", () => {
  const mark = (share: number) => ({
    kind: "mark" as const,
    id: String(share),
    at: begin + share * 100 * dayMs,
    text: "Deployed",
    createdBy: "CI",
  });
  const numbersOf = (...shares: number[]) =>
    numberedEvents(shares.map(mark).toReversed(), {
      startsAt: begin,
      endsAt: begin + 100 * dayMs,
    }).map(({ number, share }) => [number, share]);

  it("are numbered from the oldest on, without those after the last day", () => {
    assert.deepEqual(numbersOf(0, 0.25, 0.5, 1), [[1, 0], [2, 0.25], [3, 0.5]]);
    assert.deepEqual(numbersOf(), []);
  });

  it("share a number where two would overlap", () => {
    assert.deepEqual(numbersOf(0.25, 0.26, 0.29, 0.5).map(([number]) => number), [1, 1, 1, 2]);
    assert.deepEqual(numbersOf(0.25, 0.29, 0.31).map(([number]) => number), [1, 1, 2]);
  });
});
