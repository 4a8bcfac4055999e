import { strict as assert } from "node:assert";
import { pathToFileURL } from "node:url";
import { it } from "@std/testing/bdd";

it("a project can be packaged whose folder has a space in its name", async () => {
  const folder = await Deno.makeTempDir({ prefix: "roll call é-" });
  try {
    await Deno.mkdir(`${folder}/packaging`);
    await Deno.copyFile("packaging/run.ts", `${folder}/packaging/run.ts`);
    const { mustRun } = await import(pathToFileURL(`${folder}/packaging/run.ts`).href);
    assert.equal(await mustRun("pwd", []), `${await Deno.realPath(folder)}\n`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
