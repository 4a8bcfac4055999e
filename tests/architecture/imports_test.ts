import { strict as assert } from "node:assert";
import { describe, it } from "@std/testing/bdd";
import {
  codeFiles,
  findCycle,
  type Import,
  importsOf,
  loadedWith,
  readImports,
} from "./imports.ts";
import { elsewhere, ringOf, rings, typesOnly, within } from "./rings.ts";

const files = codeFiles(rings);
const imports = readImports(files);

/** Imports of a part that comes after the one that imports it. */
function upward(order: readonly string[], partOf: (file: string) => string, among: Import[]) {
  return among.filter(({ from, to }) =>
    order.indexOf(partOf(to)) > order.indexOf(partOf(from)) || !order.includes(partOf(to))
  ).map(({ from, to }) => `${from} → ${to}`);
}

describe("the imports of the program", () => {
  it("point down from ring to ring", () => assert.deepEqual(upward(rings, ringOf, imports), []));

  for (const [ring, order] of Object.entries(within)) {
    it(`point down in ${ring}/`, () => {
      const part = (file: string) => file.slice(ring.length + 1).split("/")[0];
      const inside = imports.filter(({ from, to }) =>
        [from, to].every((file) => file.startsWith(`${ring}/`))
      );
      assert.ok(inside.length > 50);
      assert.deepEqual(upward(order, part, inside), []);
    });
  }

  it("take types only where no more may be taken", () => {
    const taken = imports.filter(({ from, to, typeOnly }) =>
      !typeOnly && typesOnly.some(([ring, other]) => ringOf(from) === ring && ringOf(to) === other)
    );
    assert.deepEqual(taken.map(({ from, to }) => `${from} → ${to}`), []);
  });

  it("load nothing of several servers into the only one", () => {
    const roots = ["cli/serve.ts", "main.ts", ...files.filter((file) => ringOf(file) === "routes")];
    const loaded = [...loadedWith(roots, imports)];
    assert.ok(loaded.includes("realtime/server.ts"));
    const several = /^realtime\/cluster\/|^server\/process\/coordinator/;
    assert.deepEqual(loaded.filter((file) => several.test(file)), []);
  });

  it("leave what runs elsewhere to itself, and take only texts from it", () => {
    const others = codeFiles([elsewhere]).filter((file) => file !== "packages/client/build.ts");
    assert.ok(others.length > 10);
    const taken = others.flatMap((file) => importsOf(file, Deno.readTextFileSync(file)))
      .filter(({ to }) => ringOf(to) !== elsewhere);
    assert.deepEqual(taken.map(({ from, to }) => `${from} → ${to}`), []);
    const shown = files.flatMap((file) =>
      Deno.readTextFileSync(file).split("\n").filter((line) => line.includes(`"@/${elsewhere}/`))
    );
    assert.equal(shown.length, 2);
    for (const line of shown) assert.match(line, / with \{ type: "text" \};$/);
  });

  it("form no cycle of files at run time", () => assert.equal(findCycle(imports), null));
});

describe("the reader of imports", () => {
  const kinds: [string, string, boolean][] = [
    ["a value", `import { a } from "./b.ts";`, false],
    ["a default with a type", `import b, { type A } from "./b.ts";`, false],
    ["a type", `import type { A } from "./b.ts";`, true],
    ["types one by one", `import { type A, type B } from "./b.ts";`, true],
    ["a value among types, on lines", `import {\n  type A,\n  b,\n} from "./b.ts";`, false],
    ["a re-exported type", `export type { A } from "./b.ts";`, true],
    ["an import for its effect", `import "./b.ts";`, false],
    ["an import at run time", `const b = await import("./b.ts");`, false],
    ["a path from the root", `import { b } from "@/x/b.ts";`, false],
    ["a path upward", `import { b } from "../x/b.ts";`, false],
  ];
  for (const [name, text, typeOnly] of kinds) {
    it(`knows ${name}`, () => {
      const isStatic = !text.includes("import(");
      const expected = { from: "x/a.ts", to: "x/b.ts", typeOnly, isStatic };
      assert.deepEqual(importsOf("x/a.ts", text), [expected]);
    });
  }

  it("finds a cycle, and none that only types close", () => {
    const step = (from: string, to: string, typeOnly = false): Import => (
      { from, to, typeOnly, isStatic: true }
    );
    const chain = [step("a", "b"), step("b", "c"), step("a", "c")];
    assert.equal(findCycle([...chain, step("c", "a", true)]), null);
    assert.deepEqual(findCycle([...chain, step("c", "a")]), ["a", "b", "c", "a"]);
  });
});
