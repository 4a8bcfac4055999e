import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { grows } from "./figures.ts";

const tolerance = { least: 10, share: 0.05 };
const series = (of: (index: number) => number) =>
  Array.from({ length: 80 }, (_, index) => of(index));

const shapes: [what: string, grows: boolean, values: number[]][] = [
  ["zeros", false, series(() => 0)],
  ["a constant", false, series(() => 500)],
  ["a slow rise", true, series((index) => 500 + index)],
  ["a rise from nothing", true, series((index) => index)],
  ["a rise that ends with the warm-up", false, series((index) => 500 + 30 * Math.min(index, 19))],
  ["a rise that ends at half", false, series((index) => 500 + 5 * Math.min(index, 40))],
  ["a rise that begins at half", true, series((index) => 500 + 5 * Math.max(0, index - 40))],
  ["one step after the warm-up", false, series((index) => index < 45 ? 500 : 700)],
  ["a fall", false, series((index) => 500 - index)],
  ["saw teeth", false, series((index) => 500 + 40 * (index % 7))],
  ["rising saw teeth", true, series((index) => 500 + 40 * (index % 7) + 2 * index)],
  ["peaks", false, series((index) => index % 10 ? 500 : 5_000)],
  ["a peak at the end", false, series((index) => index < 75 ? 500 : 5_000)],
  ["a rise below the tolerance", false, series((index) => 500 + index / 4)],
];
const noise = fc.array(fc.integer({ min: -5, max: 5 }), { minLength: 20, maxLength: 200 });
const level = fc.integer({ min: 0, max: 10_000 });

describe("the search of the soak for growth", () => {
  for (const [what, expected, values] of shapes) {
    it(`${expected ? "finds growth" : "finds no growth"} in ${what}`, () => {
      assert.equal(grows(values, tolerance), expected);
    });
  }

  it("finds no growth in noise within the tolerance, at any level", () => {
    fc.assert(fc.property(level, noise, (level, noise) => {
      assert.equal(grows(noise.map((value) => level + value), tolerance), false);
    }));
  });

  it("finds no growth in a single step of any height at any time", () => {
    fc.assert(fc.property(level, fc.nat(1_000), fc.nat(80), noise, (level, height, at, noise) => {
      const step = at / 80 * noise.length;
      const small = (value: number) => level + value / 5;
      const values = noise.map((value, index) => small(value) + (index < step ? 0 : height));
      assert.equal(grows(values, tolerance), false);
    }));
  });

  it("finds a leak of three times the tolerance in a half, in any noise", () => {
    fc.assert(fc.property(level, noise, (level, noise) => {
      const leak = 6 * Math.max(tolerance.least, tolerance.share * (level + 5)) / noise.length;
      const values = noise.map((value, index) => level + value + 1.5 * leak * index);
      assert.equal(grows(values, tolerance), true);
    }));
  });

  it("throws for too few measurements", () => {
    assert.throws(() => grows(series(() => 0).slice(0, 15), tolerance), /too few/);
  });
});
