import { strict as assert } from "node:assert";
import { describe, it } from "@std/testing/bdd";
import {
  findCycle,
  type Import,
  importsOf,
  programFiles,
  readImports,
} from "../../tools/architecture/imports.ts";
import { type Layer, layers } from "../../tools/architecture/layers.ts";
import {
  browserLayers,
  clusterLayers,
  realtimeLayers,
} from "../../tools/architecture/layers_in_folders.ts";

const files = programFiles();
const imports = readImports(files);

describe("the imports of the program", () => {
  it("are found, every one that a file states", () => {
    const stated = files.map((file) => Deno.readTextFileSync(file))
      .flatMap((text) => text.match(/^.*(?:from|import\(|^import) ?"\.[^"]+\.tsx?".*$/gm) ?? [])
      .filter((line) => !/^ \*|^\/\//.test(line));
    assert.ok(imports.length > 1_000, String(imports.length));
    assert.equal(imports.length, stated.length);
  });

  it("form no cycle of files at run time", () => {
    assert.equal(findCycle(imports)?.join(" → ") ?? "none", "none");
  });

  const tables: [string, readonly Layer[]][] = [
    ["", layers],
    ["realtime/", realtimeLayers],
    ["cluster/", clusterLayers],
    ["browser/", browserLayers],
  ];
  for (const [folder, table] of tables) {
    describe(`between the parts of ${folder || "the project"}`, () => {
      it("are allowed by the table of layers", () => {
        assert.deepEqual(forbidden(folder, table), []);
      });

      it("need every entry of the table", () => {
        assert.deepEqual(unneeded(folder, table), []);
      });

      it("lead down only: a layer names none after it", () => {
        const names = table.map(({ name }) => name);
        for (const [index, { name, imports, types = [] }] of table.entries()) {
          for (const other of [...imports, ...types]) {
            assert.ok(names.slice(0, index).includes(other), `${name} names ${other}`);
          }
        }
      });

      it("start from parts that the table has, each of them", () => {
        const parts = new Set(files.filter((file) => file.startsWith(folder)).map(partIn(folder)));
        assert.deepEqual([...parts].sort(), table.map(({ name }) => name).sort());
      });
    });
  }
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
  ];
  for (const [name, text, typeOnly] of kinds) {
    it(`knows ${name}`, () => {
      assert.deepEqual(importsOf("x/a.ts", text), [{ from: "x/a.ts", to: "x/b.ts", typeOnly }]);
    });
  }

  it("finds a cycle, and none that only types close", () => {
    const step = (from: string, to: string, typeOnly = false): Import => ({ from, to, typeOnly });
    const chain = [step("a", "b"), step("b", "c"), step("a", "c")];
    assert.equal(findCycle([...chain, step("c", "a", true)]), null);
    assert.deepEqual(findCycle([...chain, step("c", "a")]), ["a", "b", "c", "a"]);
  });
});

function partIn(folder: string): (file: string) => string {
  return (file) => file.slice(folder.length).split("/")[0];
}

/** Imports between the parts of a folder that the table does not allow. */
function forbidden(folder: string, table: readonly Layer[]): string[] {
  const part = partIn(folder);
  return between(folder).filter(({ from, to, typeOnly }) => {
    const layer = table.find(({ name }) => name === part(from));
    const isAllowed = layer?.imports.includes(part(to)) ||
      typeOnly && layer?.types?.includes(part(to));
    return !isAllowed;
  }).map(({ from, to, typeOnly }) => `${from} → ${to}${typeOnly ? " (types)" : ""}`);
}

/** Entries of the table that no import needs, or that could allow types only. */
function unneeded(folder: string, table: readonly Layer[]): string[] {
  const part = partIn(folder);
  const found = between(folder);
  return table.flatMap(({ name, imports, types = [] }) => {
    const theirs = found.filter(({ from }) => part(from) === name);
    const values = imports.filter((other) =>
      !theirs.some(({ to, typeOnly }) => part(to) === other && !typeOnly)
    );
    const onlyTypes = types.filter((other) => !theirs.some(({ to }) => part(to) === other));
    return [...values, ...onlyTypes].map((other) => `${name} → ${other}`);
  });
}

function between(folder: string): Import[] {
  const part = partIn(folder);
  return imports.filter(({ from, to }) =>
    from.startsWith(folder) && to.startsWith(folder) && part(from) !== part(to)
  );
}
