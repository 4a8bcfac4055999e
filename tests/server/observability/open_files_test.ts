import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { maxConnectionsWithin } from "@/server/observability/process_metrics.ts";

describe("the maximum of connections", () => {
  const rows: [what: string, set: number | undefined, limit: number | undefined, most: number][] = [
    ["the default, with files enough", undefined, 100_000, 50_000],
    ["the default, where no limit is known", undefined, undefined, 50_000],
    ["what the files leave room for", undefined, 1_024, 924],
    ["one at least", undefined, 50, 1],
    ["what the operator has set, whatever the files", 2_000, 1_024, 2_000],
  ];
  for (const [what, set, limit, most] of rows) {
    it(`is ${what}`, () => assert.equal(maxConnectionsWithin(set, 50_000, limit), most));
  }
});
