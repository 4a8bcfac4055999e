import { strict as assert } from "node:assert";
import { describe, it } from "@std/testing/bdd";
import { Rollcall } from "../../fixtures/rollcall.ts";

describe("V8's debugger", () => {
  it("is closed again when SIGUSR1 has opened it, and the server goes on", async () => {
    await using server = await Rollcall.start();
    for (const times of [1, 2]) {
      // Deno does not heed the signal in the first moments of a program.
      const signaling = setInterval(() => server.signal("SIGUSR1"), 500);
      await server.printed(new RegExp(`(SIGUSR1 opened the debugger[^]*){${times}}`))
        .finally(() => clearInterval(signaling));
    }
    for (
      const [, port] of server.log.matchAll(/Debugger listening on ws:\/\/127\.0\.0\.1:(\d+)/g)
    ) {
      const connecting = Deno.connect({ hostname: "127.0.0.1", port: Number(port) });
      await assert.rejects(connecting, Deno.errors.ConnectionRefused);
    }
    assert.equal(await (await fetch(`${server.origin}/up`)).text(), "up\n");
  });
});
