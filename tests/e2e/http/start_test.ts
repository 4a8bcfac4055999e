import { strict as assert } from "node:assert";
import { describe, it } from "@std/testing/bdd";
import { Rollcall } from "../../fixtures/rollcall.ts";

describe("deno task start", () => {
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    it(`builds, serves, and ends at ${signal}`, async () => {
      const folder = await Deno.makeTempDir({ prefix: "rollcall-" });
      await using server = await Rollcall.start({}, folder, "tools/start.ts");
      const page = await fetch(`${server.origin}/sign-in`);
      assert.match(await page.text(), /Rollcall/);
      assert.doesNotMatch(server.log, /stand-ins/);
      server.signal(signal);
      assert.equal((await server.ended()).code, 0);
    });
  }

  it("stops once at an interrupt that arrives several times, as of a terminal", async () => {
    const folder = await Deno.makeTempDir({ prefix: "rollcall-" });
    await using server = await Rollcall.start({}, folder, "tools/start.ts");
    server.signal("SIGINT");
    await server.printed(/Stopping/);
    // The first one has ended it already when this process had to wait for its turn.
    const interrupt = () => Promise.try(() => server.signal("SIGINT")).catch(() => {});
    for (let times = 0; times < 3; times++) await interrupt();
    assert.equal((await server.ended()).code, 0);
    assert.equal(server.log.match(/ Stopped /g)?.length, 1, server.log);
    assert.doesNotMatch(server.log, /ERROR/);
  });

  it("ends with one line where a setting keeps it from starting", async () => {
    await using other = await Rollcall.start();
    const port = new URL(other.origin).port;
    const folder = await Deno.makeTempDir({ prefix: "rollcall-" });
    for (
      const [PORT, line, code] of [[port, "is in use", 1], ["x", "whole number", 2]] as const
    ) {
      const started = Rollcall.start({ PORT }, folder, "tools/start.ts");
      await assert.rejects(started, (error: Error) => {
        assert.match(error.message, new RegExp(`ended with code ${code}`));
        assert.ok(error.message.includes(line), error.message);
        return true;
      });
    }
    await Deno.remove(folder, { recursive: true });
  });
});
