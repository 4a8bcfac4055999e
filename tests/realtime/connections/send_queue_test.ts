import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { SendQueue } from "@/realtime/connections/send_queue.ts";
import { published } from "@/realtime/protocol/outgoing.ts";
import { FakeConnections } from "../fake_socket.ts";

const frameOf = (bytes: number) => published("news", "event", ["x".repeat(bytes)]);

describe("What waits for one peer", () => {
  it("is counted until it is handed over", () => {
    const queue = new SendQueue();
    const frames = [frameOf(10), frameOf(1_000)];
    for (const frame of frames) queue.add(frame);
    assert.equal(queue.bytes, frames[0].bytes + frames[1].bytes);
    assert.equal(queue.next("1.1"), frames[0]);
    assert.equal(queue.bytes, frames[1].bytes);
    assert.equal(queue.next("1.1"), frames[1]);
    assert.equal(queue.bytes, 0);
  });

  it("closes no peer that is always behind, and reads on", () => {
    const connections = new FakeConnections({ maxBytes: 100_000 });
    const { connection, socket } = connections.open();
    for (let sent = 0; sent < 60; sent++) connection.send(frameOf(1_000));
    for (let round = 0; round < 20; round++) {
      connections.clock.advance(20);
      socket.take();
      connections.clock.advance(20);
      for (let sent = 0; sent < 10; sent++) connection.send(frameOf(1_000));
    }
    assert.deepEqual(connections.exceeded, []);
    assert.ok(connection.waiting, "the peer has caught up");
  });
});
