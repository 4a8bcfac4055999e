import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { ImportGraph, testFiles } from "@/tools/test/import_graph.ts";
import { isLong, longTests } from "@/tools/test/long_tests.ts";
import { needsOf } from "@/tools/test/needs.ts";

describe("the long tests", () => {
  const files = testFiles(Deno.cwd(), "tests");

  it("are all there", () => {
    const missing = longTests.filter((path) => !files.some((file) => file.startsWith(path)));
    assert.deepEqual(missing, []);
  });

  it("bring the programs that the others do without", () => {
    const graph = new ImportGraph(Deno.cwd());
    const names = files.filter((file) => !isLong(file))
      .flatMap((file) => needsOf(file, graph).map(({ name }) => name));
    const brought = ["Firefox", "WebKitGTK", "nginx", "Apache", "Caddy", "PHP"];
    assert.deepEqual(brought.filter((name) => names.includes(name)), []);
  });
});
