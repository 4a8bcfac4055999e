import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { clockChanges } from "../../fixtures/clock_changes.ts";
import { inputTime, utcTime } from "@/components/page/input_time.ts";

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
