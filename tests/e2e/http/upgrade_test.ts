import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { Rollcall } from "../../fixtures/rollcall.ts";
import { withTimeout } from "../../fixtures/with_timeout.ts";

/** The first line of the answer to a request with this `Upgrade` header. */
async function statusLine(port: number, path: string, upgrade: string): Promise<string> {
  using connection = await Deno.connect({ hostname: "127.0.0.1", port });
  const lines = [
    `GET ${path} HTTP/1.1`,
    "Host: localhost",
    "Connection: Upgrade",
    `Upgrade: ${upgrade}`,
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
  ];
  await connection.write(new TextEncoder().encode(`${lines.join("\r\n")}\r\n\r\n`));
  const bytes = new Uint8Array(4_096);
  const length = await withTimeout(connection.read(bytes), "the answer had come");
  return new TextDecoder().decode(bytes.subarray(0, length ?? 0)).split("\r\n")[0];
}

describe("a request to upgrade", () => {
  it("opens a socket at every path, and gets the page for another protocol", async () => {
    await using server = await Rollcall.start();
    const port = Number(new URL(server.origin).port);
    for (const path of ["/app/nobody", "/prefix/app/nobody", "/sign-in", "/nothing"]) {
      assert.match(await statusLine(port, path, "WebSocket"), /^HTTP\/1\.1 101 /, path);
    }
    assert.match(await statusLine(port, "/sign-in", "h2c"), /^HTTP\/1\.1 200 /);
    assert.match(await statusLine(port, "/app/nobody", "h2c"), /^HTTP\/1\.1 400 /);
  });
});
