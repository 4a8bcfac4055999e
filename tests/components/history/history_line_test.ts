import { strict as assert } from "node:assert";
import { describe, it } from "@std/testing/bdd";
import { stretches } from "@/components/history/history_line.ts";

describe("the stretches of a history's line", () => {
  it("are the points between gaps, in order, none of them empty", () => {
    const line = [NaN, 1, 2, NaN, NaN, 0, NaN].map((y, x) => ({ x, y }));
    assert.deepEqual(stretches(line).map((points) => points.map(({ x }) => x)), [[1, 2], [5]]);
  });
});
