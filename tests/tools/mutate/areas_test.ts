import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { areas } from "../../../tools/mutate/areas.ts";
import { mutated } from "../../../tools/mutate/mutation.ts";
import { quickAreas, quickMutations } from "../../../tools/mutate/quick.ts";
import { ImportGraph } from "../../../tools/test/import_graph.ts";
import { needsOf } from "../../../tools/test/needs.ts";

describe("the table of mutations", () => {
  for (const [area, mutations] of Object.entries(areas)) {
    it(`fits the program, in the area ${area}`, () => {
      for (const mutation of mutations) mutated(Deno.readTextFileSync(mutation.file), mutation);
    });

    it(`names tests that exist and what would break, in the area ${area}`, () => {
      for (const { tests, file, what } of mutations) {
        assert.ok(tests.length > 0, `${file}: no test`);
        assert.ok(what.length > 0, `${file}: no phrase`);
        for (const test of tests) assert.ok(Deno.statSync(test).isFile);
      }
    });
  }
});

describe("the mutations that are tried with the tests", () => {
  const graph = new ImportGraph(".");

  for (const area of quickAreas) {
    it(`are noticed by unit tests, in the area ${area}`, () => {
      for (const { tests, what } of quickMutations(area)) {
        const needs = tests.flatMap((test) => needsOf(test, graph).map(({ name }) => name));
        assert.deepEqual(needs, [], what);
      }
    });
  }
});

describe("a mutation", () => {
  const mutation = { file: "file.ts", from: "<=", to: "<", tests: [], what: "" };

  it("replaces its text", () => assert.equal(mutated("a <= b", mutation), "a < b"));

  it("is an error where its text is missing or more than once", () => {
    assert.throws(() => mutated("a < b", mutation), /file.ts has "<=" 0 times/);
    assert.throws(() => mutated("a <= b <= c", mutation), /file.ts has "<=" 2 times/);
  });
});
