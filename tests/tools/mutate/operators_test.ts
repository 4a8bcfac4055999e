import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { nearestTests, spread } from "@/tools/mutate/generic.ts";
import { breaksOf } from "@/tools/mutate/operators.ts";
import { ImportGraph } from "@/tools/test/import_graph.ts";

/** The text with each fault in it, in order. */
function broken(text: string, isTsx = false): string[] {
  return breaksOf(text, isTsx).map(({ start, end, to }) =>
    text.slice(0, start) + to + text.slice(end)
  );
}

describe("the operators", () => {
  it("negate conditions and leave out statements", () => {
    assert.deepEqual(broken("if (isOpen) close();"), [
      "if (!(isOpen)) close();",
      "if (isOpen) {}",
    ]);
  });

  it("change constants by one", () => {
    assert.deepEqual(broken("const most = 5;"), ["const most = (5 + 1);", "const most = (5 - 1);"]);
  });

  it("swap operators and leave out a !", () => {
    assert.deepEqual(broken("const isSafe = !a && b < c;"), [
      "const isSafe = a && b < c;",
      "const isSafe = !a || b < c;",
      "const isSafe = !a && b <= c;",
    ]);
  });

  it("return nothing at the end of a function", () => {
    assert.deepEqual(broken("function name() { return text; }"), [
      "function name() { return undefined as never; }",
    ]);
  });

  it("leave types, imports and names of properties alone", () => {
    assert.deepEqual(broken('import a from "a"; type Two = 2; const b = { 1: "x" };'), []);
  });

  it("read components", () => {
    assert.deepEqual(broken("const a = <p>{isOn && <b />}</p>;", true), [
      "const a = <p>{isOn || <b />}</p>;",
    ]);
  });
});

describe("the faults that operators make", () => {
  it("are tried with the tests that import the file", () => {
    const tests = nearestTests(".", "tools/mutate/operators.ts", new ImportGraph("."));
    assert.deepEqual(tests, ["tests/tools/mutate/operators_test.ts"]);
  });

  it("are spread evenly where they are too many", () => {
    assert.deepEqual(spread([1, 2, 3, 4, 5, 6], 3), [1, 3, 5]);
    assert.deepEqual(spread([1, 2], 3), [1, 2]);
  });
});
