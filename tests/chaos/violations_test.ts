import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { isExplained } from "./starts.ts";
import { Violations } from "./violations.ts";

describe("the violations of the fault test", () => {
  it("are one line when they happen to many clients in the same way", () => {
    const violations = new Violations();
    for (let number = 0; number < 10; number++) {
      violations.add({ promise: "lists", text: "lacks ann", who: `tab ${number}` }, 100 + number);
    }
    violations.add({ promise: "lists", text: "lacks bob", who: "tab 1", context: "; now" }, 900);
    assert.deepEqual(violations.take(5_108), []);
    assert.deepEqual(violations.take(5_109), [
      { at: 100, promise: "lists", text: "lacks ann: 10 times (tab 0, tab 1, tab 2, …)" },
    ]);
    assert.deepEqual(violations.take(), [
      { at: 900, promise: "lists", text: "lacks bob: tab 1; now" },
    ]);
    assert.deepEqual(violations.take(), []);
  });
});

describe("a start that fails in the fault test", () => {
  it("is explained by code 1 and a line that names what is away", () => {
    const line = "REDIS_URL: (secret, not shown) cannot be used (Redis at x: timeout); expected";
    assert.ok(isExplained(`Error: The server ended with code 1:\n{}\n${line}`));
    assert.ok(!isExplained(`Error: The server ended with code 2:\n${line}`));
    assert.ok(!isExplained("Error: The server ended with code 1:\nUncaught TypeError"));
  });
});
