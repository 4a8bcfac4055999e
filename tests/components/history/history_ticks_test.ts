import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { clockChanges } from "../../fixtures/clock_changes.ts";
import { tickTimes } from "@/components/history/history_line.ts";

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
