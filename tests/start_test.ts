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

  it("ends with one line where a setting keeps it from starting", async () => {
    await using other = await Rollcall.start();
    const port = new URL(other.origin).port;
    const folder = await Deno.makeTempDir({ prefix: "rollcall-" });
    for (
      const [environment, line] of [[{ PORT: port }, "is in use"], [{ PORT: "x" }, "whole number"]]
    ) {
      const started = Rollcall.start(environment as Record<string, string>, folder, "start.ts");
      await assert.rejects(started, (error: Error) => {
        assert.match(error.message, /ended with code 1/);
        assert.ok(error.message.includes(line as string), error.message);
        return true;
      });
    }
    await Deno.remove(folder, { recursive: true });
  });
});
