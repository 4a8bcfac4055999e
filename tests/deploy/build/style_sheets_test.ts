import { strict as assert } from "node:assert";
import { describe, it } from "@std/testing/bdd";
import { styleSheets } from "@/deploy/build/style_sheets.ts";

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
