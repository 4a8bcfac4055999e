import { mutationsOf } from "../../mutation.ts";

const folder = "tests/browser";

/** Times as pages write them, and how often pages act. */
export const format = mutationsOf({
  "browser/format/input_time.ts": `${folder}/format/input_time_test.ts`,
  "browser/format/time_text.ts": `${folder}/format/time_text_test.ts`,
  "browser/format/utc_text.ts": `${folder}/format/utc_text_test.ts`,
  "browser/timing/at_most_every.ts": `${folder}/timing/at_most_every_test.ts`,
  "browser/timing/first_number.ts": `${folder}/timing/first_number_test.ts`,
}, {
  "browser/format/input_time.ts": [
    [
      'zone === "UTC" ? 0 : new Date(at).getTimezoneOffset() * 60_000',
      "0",
      "a filter by time is off by the time zone",
    ],
    ["at - offsetMs", "at + offsetMs", "a filter by time is off by twice the time zone"],
    [
      'shown !== undefined && input === inputTime(shown, "local") ? shown : ',
      "",
      "a filter by time loses its seconds when it is submitted again",
    ],
    ['Number.isNaN(at) ? "" : ', "", "half a time in a filter breaks the page"],
  ],
  "browser/format/time_text.ts": [
    [
      "return `${utcText(at, form)} UTC`;",
      "return utcText(at, form);",
      "a time of the server looks like local time",
    ],
    [
      'hourCycle === "h11" || hourCycle === "h12" ? "h12" : "h23"',
      '"h23"',
      "readers in the USA see a clock of 24 hours",
    ],
    [
      "const name = `${form} ${zone} ${clock}`;",
      "const name = `${form} ${clock}`;",
      "local times are shown in UTC",
    ],
    ['if (length < minute) return "under a minute";', "", "a short time is 0 min"],
    ["if (length < day) return `${Math.floor(length / hour)} hr`;", "", "a few hours are 0 days"],
    ["age < day ? `${durationText(age)} ago` : ", "", "a time in the past looks like a duration"],
    [
      'timeText(one, "day", style) === timeText(other, "day", style)',
      "Math.floor(one / day) === Math.floor(other / day)",
      "the day changes at midnight UTC instead of the reader's",
    ],
  ],
  "browser/format/utc_text.ts": [
    ["${month + 1}/", "${month}/", "the days of two months are the same"],
    ["weekdays[time.getUTCDay()]", "weekdays[time.getDay()]", "a weekday is that of another zone"],
  ],
  "browser/timing/first_number.ts": [
    [
      "    setTimeout(this.#arrival.resolve, longest);\n",
      "",
      "a page that cannot connect never draws its charts",
    ],
    [
      "if (this.#arrival) setTimeout(this.#arrival.resolve);",
      "",
      "charts are drawn a second late",
    ],
    [
      "this.#arrival?.promise ?? Promise.resolve()",
      "Promise.resolve()",
      "charts are drawn before the number is live",
    ],
  ],
  "browser/timing/at_most_every.ts": [
    ["if (timer !== undefined) return;", "", "each event draws the chart"],
    ["    timer = undefined;\n", "", "only two events are ever drawn"],
    ["Math.min(wait, interval)", "wait", "a clock that was set back stops the page"],
    ["    actedAt = Date.now();\n", "", "nothing is held back"],
    ["if (wait <= 0) actNow();", "if (false) actNow();", "the first event is drawn late"],
  ],
});
