import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { runningText } from "@/components/live_view/snapshot.ts";
import {
  agoText,
  clockOf,
  durationText,
  isSameDay,
  serverStyle,
  timeForms,
  type TimeStyle,
  timeText,
  utcText,
} from "@/components/page/time_text.ts";
import { inputTime, utcTime } from "@/components/page/input_time.ts";
import { clockChanges } from "../../fixtures/clock_changes.ts";

const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000];
const now = Date.UTC(2026, 2, 14, 15, 9, 26);

/** Newer versions of ICU write a narrow space before AM and PM. */
function plain(text: string): string {
  return text.replace(/\s/gu, " ");
}

describe("a length of time", () => {
  for (
    const [length, text] of [
      [0, "under a minute"],
      [59 * second, "under a minute"],
      [minute, "1 min"],
      [59 * minute, "59 min"],
      [hour, "1 hr"],
      [day - 1, "23 hr"],
      [day, "1 day"],
      [1_234 * day, "1,234 days"],
    ] as const
  ) {
    it(`of ${length} ms is written as ${text}`, () => assert.equal(durationText(length), text));
  }
});

describe("a length of time that grows", () => {
  for (
    const [length, text] of [
      [0, "0 s"],
      [42 * second, "42 s"],
      [minute - 1, "59 s"],
      [minute, "1:00"],
      [3 * minute + 10 * second, "3:10"],
      [hour - 1, "59:59"],
      [hour + 4 * minute, "1 h 04"],
      [day - 1, "23 h 59"],
      [day, "1 day"],
      [40 * day, "40 days"],
    ] as const
  ) {
    it(`of ${length} ms is written as ${text}`, () => assert.equal(runningText(length), text));
  }
});

describe("an age", () => {
  for (
    const [age, text] of [
      [0, "just now"],
      [-5 * second, "just now"],
      [59 * second, "just now"],
      [minute, "1 min ago"],
      [59 * minute, "59 min ago"],
      [hour, "1 hr ago"],
      [day - 1, "23 hr ago"],
    ] as const
  ) {
    it(`of ${age} ms is written as ${text}`, () => {
      assert.equal(agoText(now - age, now, serverStyle), text);
    });
  }

  it("of a day or more is a date and time, which names UTC on the server", () => {
    assert.equal(agoText(now - day, now, serverStyle), "Mar 13, 15:09 UTC");
  });
});

describe("a time", () => {
  const local: TimeStyle = { zone: "local", clock: "h23" };

  it("has one text for each form on the server, in UTC", () => {
    assert.equal(timeText(now, "exact", serverStyle), "Mar 14, 2026, 15:09:26 UTC");
    assert.equal(timeText(now, "clock", serverStyle), "15:09:26 UTC");
    assert.equal(timeText(now, "minute", serverStyle), "15:09 UTC");
    assert.equal(timeText(now, "date", serverStyle), "Mar 14 UTC");
    assert.equal(timeText(now, "weekdayAndMinute", serverStyle), "Sat 15:09 UTC");
  });

  it("does not name the zone when it is the reader's own", () => {
    const text = timeText(now, "exact", local);
    assert.doesNotMatch(text, /UTC/);
    assert.match(text, /2026.*\d:26/);
  });

  it("has the hour of the reader's own clock, also after one in UTC", () => {
    timeText(now, "minute", { zone: "UTC", clock: "h12" });
    const time = new Date(now).toLocaleTimeString("en", { timeStyle: "short", hourCycle: "h12" });
    assert.equal(timeText(now, "minute", { zone: "local", clock: "h12" }), time);
    const hour = String(new Date(now).getHours()).padStart(2, "0");
    assert.equal(timeText(now, "minute", local).slice(0, 2), hour);
  });

  it("is written with AM and PM for a 12-hour clock, with midnight as 12", () => {
    const style: TimeStyle = { zone: "UTC", clock: "h12" };
    assert.equal(plain(timeText(now, "clock", style)), "3:09:26 PM UTC");
    assert.equal(plain(timeText(Date.UTC(2026, 2, 14), "minute", style)), "12:00 AM UTC");
  });

  it("is written with two digits for a 24-hour clock, with midnight as 00", () => {
    assert.equal(timeText(Date.UTC(2026, 2, 14), "minute", serverStyle), "00:00 UTC");
    assert.equal(
      timeText(Date.UTC(2026, 2, 14, 9), "weekdayAndMinute", serverStyle),
      "Sat 09:00 UTC",
    );
  });

  it("is in the zone that a page names, which no text repeats", () => {
    const style: TimeStyle = { ...serverStyle, zone: "America/New_York" };
    assert.equal(timeText(now, "minute", style), "11:09");
    assert.equal(plain(timeText(now, "minute", { ...style, clock: "h12" })), "11:09 AM");
    assert.equal(timeText(now, "minute", { ...style, zone: "Etc/UTC" }), "15:09");
  });

  it("is on the same day as another only within a day of the zone", () => {
    assert.ok(isSameDay(now, Date.UTC(2026, 2, 14, 23, 59, 59), serverStyle));
    assert.ok(!isSameDay(now, Date.UTC(2026, 2, 15), serverStyle));
    assert.ok(!isSameDay(now, Date.UTC(2025, 2, 14, 15), serverStyle));
  });

  it("is on the same day as another from the reader's midnight to the next", () => {
    const [first, last] = [new Date(2026, 2, 14, 0, 30), new Date(2026, 2, 14, 23, 30)].map(Number);
    assert.ok(isSameDay(first, last, local));
    assert.ok(!isSameDay(first, first - hour, local));
    assert.ok(!isSameDay(last, last + hour, local));
  });
});

describe("the clock of a locale", () => {
  for (
    const [locale, clock] of [["de", "h23"], ["en-US", "h12"], ["en-GB", "h23"], ["ar", "h12"]]
  ) {
    it(`is ${clock} for ${locale}`, () => assert.equal(clockOf(locale), clock));
  }
});

const at = Date.UTC(2026, 0, 5, 12, 30);

const twoDigits = (count: number) => String(count).padStart(2, "0");

describe("the value of a date and time input", () => {
  it("is the time in UTC for UTC, and empty without a time", () => {
    assert.equal(inputTime(at, "UTC"), "2026-01-05T12:30");
    assert.equal(inputTime(undefined, "UTC"), "");
  });

  it("has the hour of the reader's own clock for the reader's zone", () => {
    const { hour, minute } = { hour: new Date(at).getHours(), minute: new Date(at).getMinutes() };
    assert.equal(inputTime(at, "local").slice(-5), `${twoDigits(hour)}:${twoDigits(minute)}`);
  });

  it("is read back as the same time in the reader's zone", () => {
    assert.equal(utcTime(inputTime(at, "local")), "2026-01-05T12:30:00.000Z");
    assert.equal(utcTime(inputTime(undefined, "local")), "");
  });

  it("keeps the time that it had at first, even in an hour that comes twice, until it is changed", () => {
    const times = [at + 12_345, ...clockChanges().flatMap((change) => [change - 1, change + 1])];
    for (const time of times) {
      const input = inputTime(time, "local");
      assert.equal(utcTime(input, time), new Date(time).toISOString());
    }
    assert.equal(utcTime(inputTime(at, "local"), at + 3_600_000), "2026-01-05T12:30:00.000Z");
    assert.equal(utcTime("", at), "");
  });
});

describe("a time in UTC", () => {
  for (const [form, options] of Object.entries(timeForms)) {
    it(`in the form ${form} is what Intl writes`, () => {
      const format = new Intl.DateTimeFormat("en", {
        ...options,
        hourCycle: "h23",
        timeZone: "UTC",
      });
      const end = Date.UTC(9999, 11, 31);
      fc.assert(fc.property(fc.integer({ min: 0, max: end }), (at) => {
        assert.equal(utcText(at, form as keyof typeof timeForms), format.format(at));
      }));
    });
  }
});
