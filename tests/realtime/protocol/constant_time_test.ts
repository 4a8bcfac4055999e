import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { isSameText } from "@/realtime/protocol/signature.ts";

/** Few characters, so that texts are often the same or differ in one place. */
const text = fc.string({ unit: fc.constantFrom("a", "b", "ü", "\ud83d", "\ude00"), maxLength: 4 });

describe("isSameText", () => {
  it("is true of the same texts, and of no others", () => {
    fc.assert(fc.property(text, text, (one, other) => {
      assert.equal(isSameText(one, one), true);
      assert.equal(isSameText(one, other), one === other);
    }));
  });

  it("is false where a signature differs in any one place", () => {
    const signature = "0123456789abcdef".repeat(4);
    for (let index = 0; index < signature.length; index++) {
      const changed = `${signature.slice(0, index)}x${signature.slice(index + 1)}`;
      assert.equal(isSameText(changed, signature), false, `at ${index}`);
      assert.equal(isSameText(signature.slice(0, index), signature), false, `cut at ${index}`);
    }
  });
});
