import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { summaryOf } from "@/tools/test/summary.ts";

describe("the last line of the test command", () => {
  it("adds up tests and steps of all runs", () => {
    const outputs = [
      "a test ... ok (1ms)\n\nok | 3 passed (12 steps) | 0 failed (2s)\n",
      "\nFAILED | 1 passed (1 step) | 2 failed (3 steps) | 1 ignored (10ms)\n\nerror: Test failed\n",
    ];
    assert.equal(summaryOf(outputs), "17 passed, 5 failed, 1 skipped");
  });

  it("adds up runs that are sums themselves", () => {
    const outputs = ["ok | 2 passed | 0 failed (1s)\n5 passed, 1 failed, 2 skipped\n"];
    assert.equal(
      summaryOf([...outputs, "ok | 1 passed | 0 failed (1s)"]),
      "6 passed, 1 failed, 2 skipped",
    );
  });

  it("counts a run that ended without a closing line as a failure", () => {
    assert.equal(
      summaryOf(["ok | 1 passed | 0 failed (1ms)", "half a run"]),
      "1 passed, 1 failed, 0 skipped",
    );
  });
});
