import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { builtPaths, preloadedScripts } from "@/deploy/build/browser_files.ts";
import { browserSources, buildId } from "@/deploy/build/build_id.ts";
import { ImportGraph } from "@/tools/test/import_graph.ts";
import { styleSheets } from "@/deploy/build/style_sheets.ts";

describe("the files that are compressed", () => {
  it("are the scripts and style sheets that the build lists", () => {
    const snapshot = `export const staticFiles = new Map([
  ["/icon.svg", {"hash":"1","filePath":"static/icon.svg"}],
  ["/pages.css", {"name":"/pages.css","hash":"2","filePath":"_fresh/static/pages.css"}],
  ["/_fresh/js/1/chunk-A_1.js", {"hash":"3","filePath":"_fresh/static/_fresh/js/1/chunk-A_1.js"}]
]);`;
    assert.deepEqual(builtPaths(snapshot), ["/pages.css", "/_fresh/js/1/chunk-A_1.js"]);
  });

  it("are an error when the build lists none", () => {
    assert.throws(() => builtPaths("export const version = 1;"), /lists no scripts/);
  });
});

describe("the scripts that pages preload", () => {
  it("are what the live number needs, and what that imports, but for islands", () => {
    const scripts = new Map([
      ["/js/1/UsersCount.js", 'import{a as b}from"./chunk-A.js";import"./chunk-B.js";'],
      ["/js/1/presence_connection-X.js", 'import {c} from "./chunk-C.js";'],
      [
        "/js/1/chunk-A.js",
        'import{d}from"./chunk-D.js";const e=()=>import("../../build/chart-Z.js");',
      ],
      ["/js/1/chunk-B.js", ""],
      ["/js/1/chunk-C.js", 'import"./chunk-A.js";throw Error("from \\"./none.js\\"")'],
      ["/js/1/chunk-D.js", 'import"./chunk-A.js"'],
      ["/js/1/chart-Z.js", ""],
      ["/js/1/OnlineTable.js", 'import"./chunk-E.js"'],
      ["/js/1/chunk-E.js", ""],
    ]);
    assert.deepEqual(preloadedScripts(scripts), [
      "/js/1/chunk-A.js",
      "/js/1/chunk-B.js",
      "/js/1/chunk-C.js",
      "/js/1/chunk-D.js",
      "/js/1/presence_connection-X.js",
    ]);
  });
});

describe("the id of a build", () => {
  it("is the same for the same sources, and another after any change", async () => {
    const folder = await Deno.makeTempDir();
    const idAfter = async (change: () => Promise<void>) => {
      await change();
      return await buildId([folder]);
    };
    const write = (name: string, text: string) => () =>
      Deno.writeTextFile(`${folder}/${name}`, text);
    try {
      await Deno.mkdir(`${folder}/below`);
      const first = await idAfter(write("below/a.ts", "1"));
      assert.equal(await buildId([folder]), first);
      const ids = [
        first,
        await idAfter(write("below/a.ts", "2")),
        await idAfter(write("b.ts", "2")),
        await idAfter(() => Deno.rename(`${folder}/b.ts`, `${folder}/c.ts`)),
      ];
      assert.equal(new Set(ids).size, ids.length);
      assert.equal(await idAfter(write("c.ts", "3")) === ids[3], false);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  });

  it("depends on every module that islands load", () => {
    const graph = new ImportGraph(".");
    const islands = [...Deno.readDirSync("islands")].map(({ name }) => `islands/${name}`);
    const modules = islands.flatMap((island) => [...graph.reachedFrom(island)])
      .filter((module) => /\.tsx?$/.test(module));
    assert.ok(modules.length > 30, String(modules.length));
    for (const module of modules) {
      assert.ok(browserSources.includes(module.split("/")[0]), module);
    }
  });
});

describe("the style sheets of pages", () => {
  const files = [...Deno.readDirSync("components/styles")].map(({ name }) => name);
  const importsOf = (name: string) => {
    const text = Deno.readTextFileSync(`components/styles/${name}`);
    return [...text.matchAll(/^@import "\.\/([^"]+)";$/gm)].map(([, file]) => file);
  };

  it("have every file of styles/, so that none is forgotten", () => {
    const loaded = new Set([...styleSheets, ...styleSheets.flatMap(importsOf)]);
    assert.deepEqual([...loaded].sort(), files.sort());
  });

  it("are the only ones that browsers can get", () => {
    const served = [...Deno.readDirSync("static")].map(({ name }) => name);
    const others = served.filter((name) => name.endsWith(".css") && !styleSheets.includes(name));
    assert.deepEqual(others, [], "these belong into styles/, and into a list of imports there");
  });
});
