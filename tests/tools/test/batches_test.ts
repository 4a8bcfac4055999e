import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { batchesOf, slowFiles } from "../../../tools/test/batches.ts";
import { testFiles } from "../../../tools/test/import_graph.ts";

describe("the processes of the tests with servers", () => {
  const files = testFiles(Deno.cwd(), "tests");

  it("run each file once, the slow ones first and alone", () => {
    const batches = batchesOf(files);
    assert.deepEqual(batches.flat().sort(), files.toSorted());
    assert.deepEqual(batches.slice(0, slowFiles.length), slowFiles.map((file) => [file]));
  });

  it("leave out slow files that do not run", () => {
    assert.deepEqual(batchesOf([slowFiles[1], "a_test.ts"]), [[slowFiles[1]], ["a_test.ts"]]);
  });
});
