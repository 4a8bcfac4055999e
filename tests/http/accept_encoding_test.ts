import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { preferredCoding } from "@/http/compress_answers.ts";

describe("the content coding of an answer", () => {
  for (
    const [acceptEncoding, expected] of [
      [null, null],
      ["", null],
      ["identity", null],
      ["gzip, deflate, br, zstd", "br"],
      ["gzip", "gzip"],
      ["GZIP", "gzip"],
      ["deflate, zstd", null],
      ["*", "br"],
      ["br;q=0, *", "gzip"],
      ["*;q=0", null],
      ["gzip;q=0", null],
      ["gzip;q=0.000, br;q=0.0", null],
      ["br;q=0.5, gzip;q=0.8", "gzip"],
      ["br; q=0.8 , gzip ;q=0.8", "br"],
      ["gzip;Q=1.000", "gzip"],
      ["identity, gzip;q=0.5", null],
      ["identity;q=0.5, gzip;q=0.5", "gzip"],
      ["identity;q=0", null],
      ["gzip;q=2", null],
      ["gzip;q=0.1234", null],
      ["gzip;level=9", null],
      ["x-gzip", null],
      [", ,;q=1,gzip", "gzip"],
    ] as const
  ) {
    it(`is ${expected ?? "none"} for ${acceptEncoding ?? "no Accept-Encoding"}`, () => {
      assert.equal(preferredCoding(acceptEncoding, ["br", "gzip"]), expected);
    });
  }

  it("is never one that is not at hand", () => {
    assert.equal(preferredCoding("br", ["gzip"]), null);
    assert.equal(preferredCoding("*", []), null);
  });

  it("is never one that the client did not name, whatever it sends", () => {
    const anything = fc.oneof(
      fc.string(),
      fc.array(fc.constantFrom("br", "gzip", "*", ";q=0", ";q=0.5", ";q=", ",", " ", "x")).map(
        (parts) => parts.join(""),
      ),
    );
    fc.assert(fc.property(anything, (acceptEncoding) => {
      const coding = preferredCoding(acceptEncoding, ["br", "gzip"]);
      if (coding === null) return;
      const named = acceptEncoding.toLowerCase();
      assert.ok(named.includes(coding) || named.includes("*"), acceptEncoding);
    }));
  });
});
