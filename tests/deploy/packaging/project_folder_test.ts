import { strict as assert } from "node:assert";
import { pathToFileURL } from "node:url";
import { describe, it } from "@std/testing/bdd";

describe("a program that packaging runs", () => {
  it("starts in the project's folder, also when its name has a space", async () => {
    const folder = await Deno.makeTempDir({ prefix: "roll call é-" });
    try {
      await Deno.mkdir(`${folder}/packaging`);
      await Deno.copyFile("deploy/packaging/run.ts", `${folder}/packaging/run.ts`);
      const { mustRun } = await import(pathToFileURL(`${folder}/packaging/run.ts`).href);
      assert.equal(await mustRun("pwd", []), `${await Deno.realPath(folder)}\n`);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  });
});
