import { strict as assert } from "node:assert";
import { describe, it } from "@std/testing/bdd";
import production from "@/deno.json" with { type: "json" };
import development from "@/deno.dev.json" with { type: "json" };
import { ImportGraph } from "@/tools/test/import_graph.ts";
import { codeFiles } from "./imports.ts";
import { rings } from "./rings.ts";

/** A lock file, as far as it is read here. */
interface Lock {
  npm: Record<string, { integrity?: string }>;
}

const graph = new ImportGraph(".");
const packages = new Set(Object.keys(production.imports).filter((name) => name !== "@/"));

/** The packages that files import, by their names in a configuration; code in texts does not count. */
function packagesOf(files: Iterable<string>): Set<string> {
  const found = new Set<string>();
  for (const file of files) {
    const code = graph.source(file).replace(/`(?:[^`\\]|\\.)*`/gs, "``");
    for (
      const [, specifier] of code.matchAll(
        /(?:\bfrom |^import |\bimport\()"([^"./@][^"]*|@[^"/]+\/[^"]+)"/gm,
      )
    ) {
      if (!specifier.startsWith("node:")) found.add(nameOf(specifier));
    }
  }
  return found;
}

/** Of `@std/http/cookie`, `@std/http`. */
function nameOf(specifier: string): string {
  return specifier.split("/").slice(0, specifier.startsWith("@") ? 2 : 1).join("/");
}

async function readLock(path: string): Promise<Lock> {
  return JSON.parse(await Deno.readTextFile(path));
}

/** The programs that tasks run without the packages of tests. */
const entries = new Set(
  Object.values(production.tasks).flatMap(({ command }) =>
    [...command.matchAll(/deno run (?!--config)[^&]*?(\S+\.ts)/g)].map(([, entry]) => entry)
  ),
);

describe("the configuration of tests and tools", () => {
  it("has all packages of the program, in the same versions", () => {
    const { imports, links } = development;
    const alike = Object.fromEntries(
      Object.keys(production.imports).map((
        name,
      ) => [name, (imports as Record<string, string>)[name]]),
    );
    assert.deepEqual(alike, production.imports);
    assert.deepEqual(production.links.filter((link) => !links.includes(link)), []);
  });

  it("compiles in the same way, and leaves out the same files", () => {
    assert.deepEqual(development.compilerOptions, production.compilerOptions);
    assert.deepEqual(development.exclude, production.exclude);
    assert.equal(development.nodeModulesDir, production.nodeModulesDir);
  });

  it("locks the packages of the program as the program does", async () => {
    const lock = await readLock(development.lock.path);
    for (const [name, { integrity }] of Object.entries((await readLock("deno.lock")).npm)) {
      const same = Object.entries(lock.npm).find(([other]) => versionOf(other) === versionOf(name));
      assert.equal(same?.[1].integrity, integrity, name);
    }
  });
});

describe("the packages of who starts the program", () => {
  it("are all that the program imports", () => {
    const imported = packagesOf(codeFiles(rings));
    assert.deepEqual([...imported].filter((name) => !packages.has(name)), []);
  });

  for (const entry of entries) {
    it(`are all that ${entry} imports`, () => {
      const imported = packagesOf(graph.reachedFrom(entry));
      assert.deepEqual([...imported].filter((name) => !packages.has(name)), []);
    });
  }

  it("are none that only tests or tools import", () => {
    const files = codeFiles(rings);
    const imported = packagesOf(files);
    // The build takes the files of a package as they are.
    const isBuilt = (name: string) =>
      files.some((file) => graph.source(file).includes(`.imports["${name}"]`));
    assert.deepEqual([...packages].filter((name) => !imported.has(name) && !isBuilt(name)), []);
  });

  it("are locked without a package of tests", async () => {
    const targets = new Set<string>(Object.values(production.imports));
    const ofTests = Object.values(development.imports)
      .filter((target) => target.startsWith("npm:") && !targets.has(target))
      .map((target) => target.slice("npm:".length));
    const locked = Object.keys((await readLock("deno.lock")).npm).map(versionOf);
    assert.ok(ofTests.length > 10);
    assert.deepEqual(ofTests.filter((name) => locked.includes(name)), []);
  });
});

/** A package's name and version, without the versions of its peers. */
function versionOf(name: string): string {
  return name.replace(/(?<=.@[^_]*)_.*/, "");
}
