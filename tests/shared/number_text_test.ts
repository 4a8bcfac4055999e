import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { countText, numberText } from "@/shared/text.ts";

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

  it("is written as Intl writes it in English", () => {
    const { format } = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });
    const whole = fc.nat({ max: 10 ** 12 });
    fc.assert(fc.property(whole, (number) => assert.equal(numberText(number), format(number))));
    const hundredths = fc.nat({ max: 10 ** 9 }).map((number) => number / 100);
    fc.assert(
      fc.property(hundredths, (number) => assert.equal(numberText(number), format(number))),
    );
  });

  it("has a noun in the singular only for 1", () => {
    assert.equal(countText(1, "tab"), "1 tab");
    assert.equal(countText(0, "tab"), "0 tabs");
    assert.equal(countText(1_234, "tab"), "1,234 tabs");
    assert.equal(countText(2, "person", "people"), "2 people");
  });
});
