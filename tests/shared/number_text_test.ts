import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { countText, numberText } from "../../shared/number_text.ts";

describe("a number", () => {
  for (
    const [number, text] of [
      [0, "0"],
      [999, "999"],
      [1_000, "1,000"],
      [9_999, "9,999"],
      [12_345, "12,345"],
      [1_234_567, "1,234,567"],
      [2.44, "2.4"],
    ] as const
  ) {
    it(`${number} is written as ${text}`, () => assert.equal(numberText(number), text));
  }

  it("has a noun in the singular only for 1", () => {
    assert.equal(countText(1, "tab"), "1 tab");
    assert.equal(countText(0, "tab"), "0 tabs");
    assert.equal(countText(1_234, "tab"), "1,234 tabs");
    assert.equal(countText(2, "person", "people"), "2 people");
  });
});
