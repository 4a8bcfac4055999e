import { it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";

it("the stand-in for Fresh has the types of Fresh 2.3.3", async () => {
  const probe = fileURLToPath(new URL("types_probe.tsx", import.meta.url));
  const check = new Deno.Command(Deno.execPath(), {
    args: ["check", probe],
    cwd: fileURLToPath(new URL("../../", import.meta.url)),
  });
  const { code, stderr } = await check.output();
  assert.equal(code, 0, new TextDecoder().decode(stderr));
});
