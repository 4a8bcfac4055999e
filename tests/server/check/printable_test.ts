import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { printable, printableAddress } from "@/server/check/step.ts";

describe("text of other servers", () => {
  it("is printed on one line, shortened and without terminal control characters", () => {
    assert.equal(printable("a\u001b[31m\r\nb\u202ec"), "a [31m b c");
    assert.equal(printable("x".repeat(300)).length, 201);
  });

  it("is printed without query and fragment when it is an address", () => {
    const base = new URL("https://a.example.com/x");
    assert.equal(printableAddress("/y?token=1#z", base), "https://a.example.com/y");
    assert.equal(printableAddress("https://[", base), "https://[");
  });
});
