import { strict as assert } from "node:assert";
import { pathToFileURL } from "node:url";
import { describe, it } from "@std/testing/bdd";

describe("a program that packaging runs", () => {
  it("starts in the project's folder, also when its name has a space", async () => {
    const folder = await Deno.makeTempDir({ prefix: "roll call é-" });
    try {
      const module = "deploy/packaging/application.ts";
      await Deno.mkdir(`${folder}/deploy/packaging`, { recursive: true });
      await Deno.copyFile(module, `${folder}/${module}`);
      const { mustRun } = await import(pathToFileURL(`${folder}/${module}`).href);
      assert.equal(await mustRun("pwd", []), `${await Deno.realPath(folder)}\n`);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  });
});
