import { strict as assert } from "node:assert";
import { describe, it } from "@std/testing/bdd";
import { servedFiles } from "@/deploy/packaging/application.ts";

describe("the files for browsers that are packaged", () => {
  it("are the files that the build lists, not files of earlier builds in the same folder", () => {
    const snapshot = `export const staticFiles = new Map([
  ["/logo.svg", {"hash":"1","filePath":"static/logo.svg","contentType":"image/svg+xml"}],
  ["/a%22.js", {"name":"/a%22.js","hash":"2","filePath":"_fresh/static/_fresh/js/1/a\\".js"}]
]);`;
    assert.deepEqual(servedFiles(snapshot), [
      "static/logo.svg",
      '_fresh/static/_fresh/js/1/a".js',
    ]);
  });

  it("are an error when the build lists none", () => {
    assert.throws(() => servedFiles("export const version = 1;"), /lists no files for browsers/);
  });
});
