import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { contributingSection, root } from "./fixtures/contributing.ts";

/** Folders whose subfolders are features too. */
const divided = ["browser", "cluster", "components", "online", "realtime", "tests"];

const [, , ...rows] = contributingSection("Features, code, tests").match(/^\|.*\|$/gm) ?? [];
const features = rows.map((row) => {
  const [name, code, tests] = row.split("|").slice(1, -1).map((cell) => cell.trim());
  return { name, code: pathsIn(code), tests: pathsIn(tests) };
});

describe("the table of features in CONTRIBUTING.md", () => {
  it("has rows", () => assert.ok(features.length > 10));

  for (const { name, code, tests } of features) {
    it(`has code and tests that exist, in the row "${name}"`, () => {
      assert.ok(code.length > 0, "no code");
      assert.ok(tests.length > 0, "no tests");
      assert.deepEqual(tests.filter((path) => !path.startsWith("tests/")), []);
      assert.deepEqual([...code, ...tests].filter((path) => !exists(path)), []);
    });
  }

  it("names every folder of code and of tests, or something in it", () => {
    const named = features.flatMap(({ code, tests }) => [...code, ...tests]);
    const missing = foldersOfProject().filter((folder) =>
      !named.some((path) => path.startsWith(folder))
    );
    assert.deepEqual(missing, []);
  });
});

function pathsIn(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, path]) => path);
}

/** A folder is named with a slash at its end. */
function exists(path: string): boolean {
  try {
    return Deno.statSync(root + path).isDirectory === path.endsWith("/");
  } catch {
    return false;
  }
}

function foldersOfProject(): string[] {
  const ignored = Deno.readTextFileSync(`${root}.gitignore`).split("\n").map((line) =>
    line.replace(/^\/|\/$/g, "")
  );
  const foldersIn = (folder: string) =>
    [...Deno.readDirSync(root + folder)].filter(({ name, isDirectory }) =>
      isDirectory && !name.startsWith(".") && !ignored.includes(name)
    ).map(({ name }) => `${folder}${name}/`);
  return foldersIn("").flatMap((folder) =>
    divided.includes(folder.slice(0, -1)) ? [folder, ...foldersIn(folder)] : folder
  );
}
