import { strict as assert } from "node:assert";
import { describe, it } from "@std/testing/bdd";
import { browserSources, buildId } from "@/deploy/build/build_id.ts";
import { ImportGraph } from "@/tools/test/import_graph.ts";

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
