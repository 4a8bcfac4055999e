import assert from "node:assert/strict";
import { it } from "@std/testing/bdd";
import { runFlags } from "../../../tools/test/configuration.ts";

it("a request does not wait for 500 of another address that came at once before it", async () => {
  const folder = await Deno.makeTempDir({ prefix: "rollcall-" });
  try {
    const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [...runFlags, "-A", "tests/fixtures/burst_at_app.ts"],
      env: { DATA_DIR: folder, NO_COLOR: "1" },
    }).output();
    const decoder = new TextDecoder();
    const found = decoder.decode(stdout).match(/Answered as (\d+) of 501/);
    assert.ok(found, decoder.decode(stderr));
    const place = Number(found[1]);
    assert.ok(place > 0 && place <= 60, `answered as ${place}`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
