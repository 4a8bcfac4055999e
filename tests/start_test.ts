import { strict as assert } from "node:assert";
import { describe, it } from "@std/testing/bdd";
import { Rollcall } from "./fixtures/rollcall.ts";

describe("deno task start", () => {
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    it(`builds, serves, and ends at ${signal}`, async () => {
      const folder = await Deno.makeTempDir({ prefix: "rollcall-" });
      await using server = await Rollcall.start({}, folder, "start.ts");
      const page = await fetch(`${server.origin}/sign-in`);
      assert.match(await page.text(), /Rollcall/);
      server.signal(signal);
      assert.equal((await server.ended()).code, 0);
    });
  }
});
