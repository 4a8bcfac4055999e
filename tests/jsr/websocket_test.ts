import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { App } from "fresh";
import assert from "node:assert/strict";

describe("a WebSocket route of Fresh", () => {
  const events: string[] = [];
  let address: string;
  let stop: () => Promise<void>;
  let closed: PromiseWithResolvers<void>;

  beforeEach(async () => {
    events.length = 0;
    closed = Promise.withResolvers<void>();
    const listening = Promise.withResolvers<Deno.NetAddr>();
    const controller = new AbortController();
    const served = new App()
      .ws("/echo", {
        open: () => events.push("open"),
        message: (socket, { data }) => socket.send(`echo ${data}`),
        close(_socket, code, reason) {
          events.push(`close ${code} ${reason}`);
          closed.resolve();
        },
      })
      .get("/raw", (ctx) => {
        const { socket, response } = ctx.upgrade({ protocol: "a" });
        socket.onopen = () => socket.send("raw");
        return response;
      })
      .listen({
        port: 0,
        hostname: "127.0.0.1",
        signal: controller.signal,
        onListen: listening.resolve,
      });
    address = `127.0.0.1:${(await listening.promise).port}`;
    stop = () => {
      controller.abort();
      return served;
    };
  });

  afterEach(() => stop());

  it("calls its handlers for open, message and close", async () => {
    const socket = new WebSocket(`ws://${address}/echo`);
    const answer = new Promise((resolve) => socket.onmessage = ({ data }) => resolve(data));
    socket.onopen = () => socket.send("hello");
    assert.equal(await answer, "echo hello");
    const clientClosed = new Promise((resolve) => socket.onclose = resolve);
    socket.close(4001, "bye");
    await Promise.all([clientClosed, closed.promise]);
    assert.deepEqual(events, ["open", "close 4001 bye"]);
  });

  it("gives the socket to a handler that upgrades the request itself", async () => {
    const socket = new WebSocket(`ws://${address}/raw`, "a");
    assert.equal(await new Promise((resolve) => socket.onmessage = (e) => resolve(e.data)), "raw");
    assert.equal(socket.protocol, "a");
    const clientClosed = new Promise((resolve) => socket.onclose = resolve);
    socket.close();
    await clientClosed;
  });

  it("answers 400 to a request that is no upgrade", async () => {
    const response = await fetch(`http://${address}/echo`);
    assert.equal(response.status, 400);
    assert.equal(await response.text(), "Expected a WebSocket upgrade request");
  });
});
