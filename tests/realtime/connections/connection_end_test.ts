import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { closes } from "@/realtime/protocol/close_codes.ts";
import { pong } from "@/realtime/protocol/outgoing.ts";
import { FakeConnections } from "../fake_socket.ts";

function opened() {
  const connections = new FakeConnections();
  return { connections, ...connections.open() };
}

describe("A closed connection", () => {
  it("has none of its frames carried out that come late", () => {
    const { connections, connection, socket } = opened();
    socket.sends("before");
    connection.close(closes.serverStopped);
    socket.sends("after");
    assert.deepEqual(connections.carriedOut, ["before"]);
  });

  it("is closed once, by several closes too", () => {
    const { connection, socket } = opened();
    connection.close(closes.serverStopped);
    connection.close(closes.sendBufferFull);
    assert.deepEqual([socket.closes, socket.closedWith], [1, 4200]);
  });

  it("is not closed when its client was first", () => {
    const { connection, socket } = opened();
    socket.dispatchEvent(new CloseEvent("close"));
    connection.close(closes.serverStopped);
    assert.equal(socket.closes, 0);
  });

  it("has its code even where its reason is too long for a close frame", () => {
    const { connection, socket } = opened();
    connection.close({ code: 4009, reason: "ü".repeat(62) });
    assert.equal(socket.closedWith, 4009);
  });

  it("stays in the number of frames that were sent", () => {
    const { connection } = opened();
    connection.send(pong);
    connection.fail(closes.serverStopped);
    assert.equal(connection.sentFrames, 2);
  });
});

describe("A connection whose client sends only faults", () => {
  /** As many faulty frames at this time as the limit allows. */
  function allowedFaults({ connection }: ReturnType<typeof opened>, now: number): void {
    for (let count = 0; count < 10; count++) connection.refuse("Invalid JSON", now);
  }

  it("is closed with 4009 at the first above the limit, and counted", () => {
    const one = opened();
    allowedFaults(one, 0);
    assert.ok(one.connection.isOpen);
    one.connection.refuse("Invalid JSON", 9_999);
    assert.equal(one.connection.isOpen, false);
    assert.deepEqual(one.connections.exceeded, ["errors"]);
    assert.equal(one.socket.received.at(-1)?.data.code, 4009);
  });

  it("stays open when there are as many in every ten seconds", () => {
    const one = opened();
    for (const now of [0, 10_000, 20_000]) allowedFaults(one, now);
    assert.ok(one.connection.isOpen);
  });

  it("is closed only when the client pauses, so that it receives the close code", () => {
    const one = opened();
    allowedFaults(one, 0);
    one.connection.refuse("Invalid JSON", 0);
    one.socket.sends("more");
    one.connections.clock.advance(50);
    assert.equal(one.socket.closedWith, undefined);
    one.connections.clock.advance(50);
    assert.equal(one.socket.closedWith, 4009);
  });
});
