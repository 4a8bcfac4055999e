import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { Subscribers } from "@/realtime/channels/subscribers.ts";
import type { Connection } from "@/realtime/connections/connection.ts";
import { FrameLog, SendQueue } from "@/realtime/connections/send_queue.ts";
import { frameOverhead } from "@/realtime/connections/pacer.ts";
import { type Frame, published } from "@/realtime/protocol/outgoing.ts";
import { StalledPeers } from "@/realtime/connections/closing.ts";
import { FakeConnections } from "../fake_socket.ts";
import { ManualClock } from "../manual_clock.ts";

const second = 1_000;

function frameOf(bytes: number): Frame {
  return published("news", "event", ["x".repeat(bytes)]);
}

/** A clock whose ticks of the event loop a test takes one by one. */
class TickClock extends ManualClock {
  #due: (() => void)[] = [];

  override after(milliseconds: number, callback: () => void): () => void {
    if (milliseconds > 0) return super.after(milliseconds, callback);
    this.#due.push(callback);
    return () => this.#due = this.#due.filter((one) => one !== callback);
  }

  turn(): void {
    const due = this.#due;
    this.#due = [];
    for (const callback of due) callback();
  }
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

describe("A frame that few are sent", () => {
  const tickBytes = 100_000;

  function subscribersOf(peers: { connection: Connection }[]): Subscribers<Connection> {
    const subscribers = new Subscribers<Connection>();
    for (const { connection } of peers) subscribers.add(connection);
    return subscribers;
  }

  it("comes in the next tick, although one waits that very many are sent, and after that one", () => {
    const clock = new TickClock();
    const connections = new FakeConnections({ tickBytes, clock });
    const peers = opened(connections, 1_000);
    subscribersOf(peers).send(published("news", "many", []));
    subscribersOf(peers.slice(-3)).send(published("news", "few", []));
    clock.turn();
    const got = peers.map(({ socket }) => socket.received.map(({ event }) => event));
    assert.deepEqual(got.slice(-3), Array(3).fill(["many", "few"]));
    assert.ok(got.some(({ length }) => length === 0), "all were sent theirs in one turn");
  });

  it("comes first also to a peer whose socket was full when it was sent", () => {
    const clock = new TickClock();
    const connections = new FakeConnections({ tickBytes, clock });
    const peers = opened(connections, 1_000);
    const { connection, socket } = peers.at(-1)!;
    for (let sent = 0; sent < 12; sent++) connection.send(frameOf(1_000));
    clock.turn();
    subscribersOf(peers.slice(-1)).send(published("news", "few", []));
    clock.turn();
    assert.equal(connections.pacer.blocked, 1);
    subscribersOf(peers).send(published("news", "many", []));
    socket.take();
    clock.advance(20);
    clock.turn();
    assert.ok(socket.received.some(({ event }) => event === "few"));
    assert.ok(peers.some(({ socket }) => socket.received.length === 0));
  });

  it("leaves half of each tick to others, however many such frames there are", () => {
    const clock = new TickClock();
    const connections = new FakeConnections({ tickBytes, clock });
    const peers = opened(connections, 600);
    const [many, hurried] = [peers.slice(0, 300), peers.slice(300)];
    const alone = hurried.map((peer) => subscribersOf([peer]));
    const hurry = () => alone.forEach((subscribers) => subscribers.send(frameOf(300)));
    const others = () => many.reduce((count, { socket }) => count + socket.received.length, 0);
    hurry();
    const frame = frameOf(300);
    subscribersOf(peers).send(frame);
    const leastInTurn = Math.floor(tickBytes / 2 / (frame.bytes + frameOverhead));
    for (let before = 0; before < many.length; before = others()) {
      for (const { socket } of hurried) socket.take();
      hurry();
      clock.turn();
      const least = Math.min(leastInTurn, many.length - before);
      assert.ok(others() - before >= least, `${others() - before} of ${least} frames`);
    }
  });

  const step = fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({ to: fc.constantFrom("many", "few", "one"), bytes: fc.nat(3_000) }),
    },
    { weight: 1, arbitrary: fc.record({ takes: fc.nat(11) }) },
    { weight: 1, arbitrary: fc.record({ ms: fc.constantFrom(0, 20) }) },
  );

  it("comes in the order of its channel, as all do, and each comes once", () => {
    fc.assert(fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      const connections = new FakeConnections({ tickBytes: 10_000 });
      const peers = opened(connections, 12);
      const groups = { many: subscribersOf(peers), few: subscribersOf(peers.slice(0, 2)) };
      const sent = { many: [] as number[], few: [] as number[], one: [] as number[] };
      steps.forEach((one, number) => {
        if ("ms" in one) connections.clock.advance(one.ms);
        else if ("takes" in one) peers[one.takes].socket.take();
        else {
          const frame = published("news", one.to, [number, "x".repeat(one.bytes)]);
          sent[one.to as keyof typeof sent].push(number);
          if (one.to === "one") peers[0].connection.send(frame);
          else groups[one.to as keyof typeof groups].send(frame);
        }
      });
      for (let turn = 0; turn < 400 && connections.clock.timers > 0; turn++) {
        for (const { socket } of peers) socket.take();
        connections.clock.advance(20);
      }
      peers.forEach(({ socket: { received } }, peer) => {
        const of = (name: string) =>
          received.filter(({ event }) => event === name).map(({ data }) => data[0]);
        assert.deepEqual(of("many"), sent.many);
        assert.deepEqual(of("few"), peer < 2 ? sent.few : []);
        assert.deepEqual(of("one"), peer === 0 ? sent.one : []);
      });
    }));
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

const plainFrame = (bytes: number) => published("news", "event", ["x".repeat(bytes)]);

describe("What waits for one peer", () => {
  it("is counted until it is handed over", () => {
    const queue = new SendQueue();
    const frames = [plainFrame(10), plainFrame(1_000)];
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
    for (let sent = 0; sent < 60; sent++) connection.send(plainFrame(1_000));
    for (let round = 0; round < 20; round++) {
      connections.clock.advance(20);
      socket.take();
      connections.clock.advance(20);
      for (let sent = 0; sent < 10; sent++) connection.send(plainFrame(1_000));
    }
    assert.deepEqual(connections.exceeded, []);
    assert.ok(connection.waiting, "the peer has caught up");
  });
});

function peer(given: { unsentBytes?: number } = {}) {
  return {
    unsentBytes: 10,
    sentBytes: 10,
    lastFrameAt: 0,
    isTakingLists: false,
    isGivenUp: false,
    ...given,
  };
}

function watchOf(...peers: ReturnType<typeof peer>[]) {
  const clock = new ManualClock();
  const found: unknown[] = [];
  const watch = new StalledPeers(1_000, () => peers, (peer) => found.push(peer), clock);
  watch.start();
  return { clock, found, watch };
}

describe("StalledPeers", () => {
  it("finds a peer that takes nothing for an interval, not one that takes a little", () => {
    const [stuck, slow, fast] = [peer(), peer(), peer({ unsentBytes: 0 })];
    const { clock, found, watch } = watchOf(stuck, slow, fast);
    clock.advance(1_000);
    assert.deepEqual(found, []);
    for (const peer of [stuck, slow, fast]) peer.sentBytes += 5;
    stuck.unsentBytes += 5;
    slow.unsentBytes += 4;
    clock.advance(1_000);
    assert.deepEqual(found, [stuck]);
    watch.stop();
    assert.equal(clock.timers, 0);
  });

  it("finds no peer that sends frames, until it stops", () => {
    const pinging = peer();
    const { clock, found, watch } = watchOf(pinging);
    for (let interval = 0; interval < 5; interval++) {
      pinging.lastFrameAt = clock.now() + 1;
      clock.advance(1_000);
    }
    assert.deepEqual(found, []);
    clock.advance(1_000);
    assert.deepEqual(found, [pinging]);
    watch.stop();
  });

  it("finds a peer whose socket was given up for an interval, whatever is sent to it", () => {
    const given = peer({ unsentBytes: 0 });
    const { clock, found, watch } = watchOf(given);
    clock.advance(1_000);
    given.isGivenUp = true;
    clock.advance(1_000);
    assert.deepEqual(found, []);
    given.sentBytes += 5;
    clock.advance(1_000);
    assert.deepEqual(found, [given]);
    watch.stop();
  });

  it("finds no peer that may be taking a list, but then after an interval", () => {
    const reading = peer();
    const { clock, found, watch } = watchOf(reading);
    reading.isTakingLists = true;
    clock.advance(5_000);
    assert.deepEqual(found, []);
    reading.isTakingLists = false;
    clock.advance(1_000);
    assert.deepEqual(found, []);
    clock.advance(1_000);
    assert.deepEqual(found, [reading]);
    watch.stop();
  });
});
