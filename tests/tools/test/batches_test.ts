import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { batchesOf, slowBatches } from "@/tools/test/batches.ts";
import { testFiles } from "@/tools/test/import_graph.ts";

describe("the processes of the tests with servers", () => {
  const files = testFiles(Deno.cwd(), "tests");

  it("run each file once, the slow ones first", () => {
    const batches = batchesOf(files);
    assert.deepEqual(batches.flat().sort(), files.toSorted());
    assert.deepEqual(batches.slice(0, slowBatches.length), slowBatches);
  });

  it("leave out slow files that do not run", () => {
    const [[slow]] = slowBatches;
    assert.deepEqual(batchesOf(["a_test.ts", slow]), [[slow], ["a_test.ts"]]);
  });
});
