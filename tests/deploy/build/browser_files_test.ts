import { strict as assert } from "node:assert";
import { describe, it } from "@std/testing/bdd";
import { builtPaths, preloadedScripts } from "@/deploy/build/browser_files.ts";

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
