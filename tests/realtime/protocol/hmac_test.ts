import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { hmacSha256 } from "@/realtime/protocol/signature.ts";

const key = fc.oneof(
  fc.string({ unit: "binary", maxLength: 200 }),
  fc.integer({ min: 0, max: 130 }).map((length) => "k".repeat(length)),
);
const text = fc.string({ unit: "binary", maxLength: 300 });

describe("hmacSha256", () => {
  it("is the HMAC of node:crypto for any key and text, whichever keys were used before", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(key, text), { minLength: 1, maxLength: 5 }), (pairs) => {
        for (const [key, text] of [...pairs, ...pairs]) {
          const expected = createHmac("sha256", key).update(text).digest("hex");
          assert.equal(hmacSha256(key, text), expected);
        }
      }),
      { numRuns: 500 },
    );
  });
});
