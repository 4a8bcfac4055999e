import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { closes } from "@/realtime/protocol/close_codes.ts";
import { pong } from "@/realtime/protocol/outgoing.ts";
import { closeSpread, closeWhenQuiet } from "@/realtime/connections/closing.ts";
import { FakeConnections } from "../fake_socket.ts";
import { withTimeout } from "../../fixtures/with_timeout.ts";
import { ManualClock } from "../manual_clock.ts";

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

/** Ten connections that are closed over a time in milliseconds. */
function closing(ms: number) {
  const clock = new ManualClock();
  const closedAt: number[] = [];
  const connections = Array.from({ length: 10 }, () => ({ isOpen: true }));
  const done = closeSpread(
    connections,
    (connection) => {
      connection.isOpen = false;
      closedAt.push(clock.now());
    },
    ms,
    clock,
  );
  return { clock, closedAt, connections, done };
}

describe("The closes of a drain", () => {
  it("are spread evenly over its time", async () => {
    const { clock, closedAt, done } = closing(1_000);
    while (clock.timers > 0) {
      clock.advance(20);
      await Promise.resolve();
    }
    await done;
    assert.equal(closedAt.length, 10);
    assert.ok(closedAt.every((at, index) => Math.abs(at - index * 100) <= 20), String(closedAt));
  });

  it("all come at once when it has no time", async () => {
    const { closedAt, done } = closing(0);
    assert.deepEqual(closedAt, Array(10).fill(0));
    await withTimeout(done, "the drain ended");
  });

  it("end with the last client, before the time is over", async () => {
    const { clock, connections, done } = closing(60_000);
    for (const connection of connections) connection.isOpen = false;
    clock.advance(20);
    await withTimeout(done, "the drain ended");
    assert.equal(clock.timers, 0);
  });
});

function quietClosing(received: () => number) {
  const clock = new ManualClock();
  const closedAt: number[] = [];
  const cancel = closeWhenQuiet(clock, received, () => closedAt.push(clock.now()));
  return { clock, closedAt, cancel };
}

describe("The close of a client that sends too much", () => {
  it("comes 50 ms after its last frame", () => {
    let frames = 0;
    const { clock, closedAt } = quietClosing(() => frames);
    frames++;
    clock.advance(50);
    assert.deepEqual(closedAt, []);
    clock.advance(50);
    assert.deepEqual(closedAt, [100]);
  });

  it("comes after two seconds when the client never stops", () => {
    let frames = 0;
    const { clock, closedAt } = quietClosing(() => frames++);
    clock.advance(10_000);
    assert.deepEqual(closedAt, [2_000]);
  });

  it("does not come when the socket has closed before", () => {
    const { clock, closedAt, cancel } = quietClosing(() => 0);
    cancel();
    clock.advance(1_000);
    assert.deepEqual([closedAt, clock.timers], [[], 0]);
  });
});
