import { strict as assert } from "node:assert";
import { describe, it } from "@std/testing/bdd";
import { Rollcall } from "../../fixtures/rollcall.ts";

describe("the stop of a server", () => {
  it("is not delayed by a client that holds back its body", async () => {
    await using server = await Rollcall.start({ DRAIN_MS: "0" });
    using connection = await Deno.connect({
      hostname: "127.0.0.1",
      port: Number(new URL(server.origin).port),
    });
    const request = "POST /sign-in HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n" +
      "Content-Type: application/x-www-form-urlencoded\r\nExpect: 100-continue\r\n\r\nemail=a";
    await connection.write(new TextEncoder().encode(request));
    // The server asks for the rest, so it is reading the body.
    await connection.read(new Uint8Array(100));
    server.signal("SIGTERM");
    assert.equal((await server.ended()).code, 0);
  });
});
