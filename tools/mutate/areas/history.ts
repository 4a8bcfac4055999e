import { mutationsOf } from "../mutation.ts";

const folder = "tests/online/history";

/** How many users were online, and when. */
export const history = mutationsOf({
  "online/history/history.ts": `${folder}/history_test.ts`,
  "online/history/history_recorder.ts": `${folder}/history_recorder_test.ts`,
  "online/history/history_report.ts": `${folder}/history_report_test.ts`,
  "online/history/interval.ts": [
    `${folder}/history_test.ts`,
    `${folder}/minute_measure_test.ts`,
  ],
  "online/history/minute_measure.ts": [
    `${folder}/minute_measure_test.ts`,
    `${folder}/history_recorder_test.ts`,
  ],
  "online/history/recent_minutes.ts": `${folder}/recent_minutes_test.ts`,
}, {
  "online/history/history.ts": [
    [
      '.where("startsAt", "<", now - keptMs)',
      '.where("startsAt", "<", 0)',
      "the history grows without end",
    ],
    [
      "byStart.set(startsAt, combined(",
      "if (false) byStart.set(startsAt, combined(",
      "the line ends a minute ago",
    ],
    [
      "(a, b) => b.users - a.users || a.at - b.at",
      "(a, b) => a.at - b.at",
      "today's peak is the first number instead of the highest",
    ],
    [
      '.where("startsAt", ">=", since)',
      '.where("startsAt", ">=", 0)',
      "today's peak is yesterday's",
    ],
    [
      "for (const { intervalMs } of resolutions) {\n        await add",
      "for (const { intervalMs } of resolutions.slice(0, 1)) {\n        await add",
      "the line of 30 days stays empty",
    ],
    ["return last?.lastUsers ?? 0;", "return 0;", "a restart draws a dip to 0"],
    [
      "{ intervalMs: minuteMs, points: 60 }",
      "{ intervalMs: minuteMs, points: 59 }",
      "the line of an hour lacks a minute",
    ],
  ],
  "online/history/history_recorder.ts": [
    ["this.#keep(this.#measure.finish(this.#clock.date()));", "", "the minute of a stop is lost"],
    [
      "      this.#scheduleTick();\n    });",
      "    });",
      "the history ends after a minute without a change",
    ],
    [
      "if (minute.startsAt % thinEveryMs !== 0) return;",
      "return;",
      "the history grows without end",
    ],
    [
      "capacity: maxWaiting,",
      "capacity: Infinity,",
      "minutes pile up in memory while the database is away",
    ],
  ],
  "online/history/history_report.ts": [
    ["midnight <= now + quarterHourMs && ", "", "a midnight to come is accepted"],
    ["&& midnight > now - longestDayMs", "", "a stranger's query reads the whole history"],
    [
      'rangeSchema.catch("hour")',
      "rangeSchema",
      "an address with an unknown range is an internal error",
    ],
    [
      "fewest: measured.fewestUsers",
      "fewest: measured.mostUsers",
      "the lowest number is the highest",
    ],
  ],
  "online/history/interval.ts": [
    [
      "Math.min(one.fewestUsers, two.fewestUsers)",
      "two.fewestUsers",
      "a short dip is not in the history",
    ],
    [
      "two.mostUsers > one.mostUsers ||",
      "two.mostUsers < one.mostUsers ||",
      "a peak is not in the history",
    ],
    [
      "two.lastAt >= one.lastAt ? two : one",
      "one",
      "after a restart the count waits for the wrong number of users",
    ],
  ],
  "online/history/minute_measure.ts": [
    [
      "if (Math.abs(at - this.#until) > longestSilenceMs) return this.#resume(at);",
      "",
      "a laptop that slept draws hours that were not measured",
    ],
    ["if (this.#until === end) finished.push(...this.#close());", "", "minutes never end"],
    [
      "const finished = this.advance(at);\n    this.#counts",
      "const finished: Interval[] = [];\n    this.#counts",
      "a change counts for the time before it",
    ],
    ["    this.#add(this.#until, 0);\n", "", "a short peak is not in the history"],
  ],
  "online/history/recent_minutes.ts": [
    [
      "if (Math.abs(now - this.#until) > keptMs) {",
      "if (false) {",
      "the chart of a server that does not lead stands still after the clock was set back",
    ],
  ],
});
