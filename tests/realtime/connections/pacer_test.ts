import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { FrameLog } from "../../../realtime/connections/frame_log.ts";
import type { Frame } from "../../../realtime/protocol/frame.ts";
import { published } from "../../../realtime/protocol/outgoing.ts";
import { FakeConnections } from "../fake_socket.ts";

const second = 1_000;

function frameOf(bytes: number): Frame {
  return published("news", "event", ["x".repeat(bytes)]);
}

function opened(connections: FakeConnections, count: number) {
  return Array.from({ length: count }, () => connections.open());
}

describe("Pacer", () => {
  it("closes no peer for a burst, however large, that it takes", () => {
    const connections = new FakeConnections({ maxBytes: 1_000, maxTotalBytes: 1_000 });
    const { connection, socket } = connections.open();
    for (let sent = 0; sent < 1_000; sent++) connection.send(frameOf(100));
    assert.ok(socket.received.length < 100, "more than a window was handed over at once");
    for (let turn = 0; turn < 1_000; turn++) {
      socket.take();
      connections.clock.advance(1);
    }
    assert.equal(socket.received.length, 1_000);
    assert.deepEqual(connections.exceeded, []);
    assert.equal(connections.clock.timers, 0);
  });

  it("closes a peer that takes nothing and for which more than the limit waits, not one below it", () => {
    const connections = new FakeConnections({ maxBytes: 50_000 });
    const [stuck, patient] = opened(connections, 2);
    for (let sent = 0; sent < 100; sent++) stuck.connection.send(frameOf(1_000));
    for (let sent = 0; sent < 40; sent++) patient.connection.send(frameOf(1_000));
    connections.clock.advance(second);
    assert.deepEqual(connections.exceeded, ["unreadBytes"]);
    assert.equal(stuck.socket.closedWith, 4100);
    assert.equal(patient.socket.closedWith, undefined);
  });

  it("counts a frame once in the total, however many peers it waits for", () => {
    const connections = new FakeConnections({ maxTotalBytes: 5_000_000 });
    const peers = opened(connections, 100);
    const log = new FrameLog();
    for (let sent = 0; sent < 500; sent++) {
      const entry = log.append(frameOf(1_000));
      for (const { connection } of peers) connection.sendLogged(entry);
    }
    connections.clock.advance(second);
    assert.deepEqual(connections.exceeded, []);
    assert.equal(connections.pacer.blocked, 100);
  });

  it("closes peers with the most unread bytes until the total is within its limit", () => {
    const connections = new FakeConnections({ maxTotalBytes: 3_000_000 });
    const peers = opened(connections, 10);
    peers.forEach(({ connection }, index) => {
      for (let sent = 0; sent < 100 * index; sent++) connection.send(frameOf(1_000));
    });
    connections.clock.advance(second);
    const closed = peers.map(({ socket }) => socket.closedWith === 4100);
    assert.deepEqual(closed, [...Array(8).fill(false), true, true]);
    assert.deepEqual(connections.exceeded, Array(2).fill("unreadBytesInTotal"));
  });

  it("hands over lists up to half of the total, and others when peers have taken those", () => {
    const connections = new FakeConnections({ maxTotalBytes: 2_000_000 });
    const peers = opened(connections, 10);
    const list = { log: new FrameLog(), encode: () => frameOf(400_000) };
    for (const { connection } of peers) connection.sendList(list);
    connections.clock.advance(second);
    const sent = () => peers.filter(({ socket }) => socket.received.length > 0);
    assert.equal(sent().length, 3);
    for (const { socket } of sent()) socket.take();
    connections.clock.advance(second);
    assert.equal(sent().length, 6);
    for (let round = 0; round < 2; round++) {
      for (const { socket } of peers) socket.take();
      connections.clock.advance(second);
    }
    assert.equal(sent().length, 10);
    assert.deepEqual(connections.exceeded, []);
  });

  it("gives the room of lists back when a peer is gone that has not taken its list", () => {
    const connections = new FakeConnections({ maxTotalBytes: 100_000 });
    const [gone, next] = opened(connections, 2);
    const list = { log: new FrameLog(), encode: () => frameOf(90_000) };
    gone.connection.sendList(list);
    next.connection.sendList(list);
    connections.clock.advance(second);
    assert.equal(next.socket.received.length, 0);
    gone.socket.dispatchEvent(new CloseEvent("close"));
    connections.clock.advance(second);
    assert.equal(next.socket.received.length, 1);
  });
});

describe("A connection's lists", () => {
  it("are taken for a while that fits a slow peer, and longer when several are sent", () => {
    const connections = new FakeConnections();
    const { connection, socket } = connections.open();
    const list = { log: new FrameLog(), encode: () => frameOf(1_000_000) };
    connection.sendList(list);
    connection.sendList(list);
    connections.clock.advance(20 * second);
    assert.ok(connection.isTakingLists);
    socket.take();
    connections.clock.advance(20 * second);
    assert.ok(connection.isTakingLists);
    connections.clock.advance(25 * second);
    assert.ok(!connection.isTakingLists);
  });
});
