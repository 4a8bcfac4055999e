import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { timeForms, utcText } from "@/components/page/time_text.ts";

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
