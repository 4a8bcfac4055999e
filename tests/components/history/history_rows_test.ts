import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { historyRows, isJustBegun } from "@/components/history/history_rows.ts";
import { hourOf } from "./history_report_of.ts";

const begin = Date.UTC(2026, 0, 5, 12);

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
