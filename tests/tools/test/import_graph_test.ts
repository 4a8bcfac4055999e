import assert from "node:assert/strict";
import { join } from "node:path/posix";
import { fileURLToPath, pathToFileURL } from "node:url";
import { describe, it } from "@std/testing/bdd";
import { testConfiguration } from "@/tools/test/configuration.ts";
import { ImportGraph, testFiles } from "@/tools/test/import_graph.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));

interface Info {
  modules: {
    specifier: string;
    dependencies?: { specifier: string; code?: { specifier?: string } }[];
  }[];
}

describe("the import graph of the project", () => {
  it("has the imports that Deno finds in every module that a test reaches", async () => {
    const graph = new ImportGraph(root);
    const tests = testFiles(root, "tests");
    const expected = await importsByDeno(tests);
    assert.ok(expected.size > tests.length);
    for (const [path, imports] of expected) {
      const found = new Set(graph.loadedBy(path));
      assert.deepEqual(imports.filter((each) => !found.has(each)), [], `${path} imports more`);
    }
  });

  it("has the modules of a program that a test starts from its file", () => {
    const reached = new ImportGraph(root).reachedFrom("tests/server/database/server_lock_test.ts");
    assert.ok(reached.has("tests/server/database/starting_process.ts"), "the program");
    assert.ok(reached.has("server/database/database.ts"), "its imports");
  });
});

/** The modules of the project that the files reach, and what each imports to run, as Deno says. */
async function importsByDeno(files: string[]): Promise<Map<string, string[]>> {
  const entry = await Deno.makeTempFile({ suffix: ".ts" });
  const url = (path: string) => pathToFileURL(join(root, path)).href;
  await Deno.writeTextFile(entry, files.map((path) => `import "${url(path)}";`).join("\n"));
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json", testConfiguration, entry],
    cwd: root,
  }).output();
  await Deno.remove(entry);
  assert.ok(success, new TextDecoder().decode(stderr));
  const { modules }: Info = JSON.parse(new TextDecoder().decode(stdout));
  const home = pathToFileURL(root).href;
  const nameOf = (specifier: string, target: string) =>
    /^@\/|^\.|\.tsx?$/.test(specifier) ? target.slice(home.length) : specifier;
  const ofProject = modules.filter(({ specifier }) =>
    specifier.startsWith(home) &&
    /^(?!node_modules|_fresh).*\.tsx?$/.test(specifier.slice(home.length))
  );
  return new Map(ofProject.map(({ specifier, dependencies = [] }) => {
    const imports = dependencies.flatMap((each) =>
      each.code?.specifier && !each.specifier.endsWith("/jsx-runtime")
        ? [nameOf(each.specifier, each.code.specifier)]
        : []
    );
    return [specifier.slice(home.length), imports];
  }));
}
