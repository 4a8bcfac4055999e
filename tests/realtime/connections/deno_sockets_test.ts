import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { setIdleTimeout } from "@/realtime/connections/deno_sockets.ts";
import { MutePeer } from "../mute_peer.ts";
import { Harness } from "../harness.ts";
import { withTimeout } from "../../fixtures/with_timeout.ts";

describe("setIdleTimeout", () => {
  it("has an open socket wait longer for its peer, in this version of Deno", async () => {
    const closed: string[] = [];
    const bothClosed = Promise.withResolvers<void>();
    await using harness = new Harness();
    harness.answer = (request) => {
      const { socket, response } = Deno.upgradeWebSocket(request, { idleTimeout: 1 });
      const name = new URL(request.url).pathname;
      socket.onopen = () => {
        socket.send(String.raw`{\"socket_id\":\"1.1\"}`);
        if (name.endsWith("patient")) setIdleTimeout(socket, 2);
      };
      socket.onerror = (event) => event.preventDefault();
      socket.onclose = () => {
        if (!closed.includes(name)) closed.push(name);
        if (closed.length === 2) bothClosed.resolve();
      };
      return response;
    };
    using _patient = await MutePeer.connect(harness.port, "patient");
    using _other = await MutePeer.connect(harness.port, "other");
    await withTimeout(bothClosed.promise, "both sockets had closed");
    assert.deepEqual(closed, ["/app/other", "/app/patient"]);
  });
});

describe("A server", () => {
  it("has Deno send large frames without keeping buffers of their size", async () => {
    await using _harness = new Harness();
    assert.equal(Deno.env.get("DENO_USE_WRITEV"), "1");
  });
});
