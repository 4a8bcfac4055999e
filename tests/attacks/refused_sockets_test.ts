import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import type { WebSocketPeer } from "../fuzz/websocket_peer.ts";
import { RejectedAttempts } from "@/server/apps/rejected_attempts.ts";
import type { LogEntry } from "@/realtime/server.ts";
import { ManualClock } from "../realtime/manual_clock.ts";
import { app, until } from "../realtime/harness.ts";
import { AddressHarness, bystander, stranger } from "./address_harness.ts";

/** Opens sockets one after the other, and keeps them open whatever the server sends. */
async function openMute(
  harness: AddressHarness,
  count: number,
  key?: string,
): Promise<{ held: AsyncDisposableStack; peers: WebSocketPeer[]; refused: number }> {
  const held = new AsyncDisposableStack();
  const peers: WebSocketPeer[] = [];
  let refused = 0;
  for (let n = 0; n < count; n++) {
    try {
      peers.push(held.use(await harness.mutePeer(stranger, key)));
    } catch (error) {
      assert.match(String(error), /503/);
      refused++;
    }
  }
  return { held, peers, refused };
}

describe("Sockets that were refused and whose peer never closes", () => {
  it("are few for an address, and take the place of no client that is admitted", async () => {
    await using harness = new AddressHarness({ maxConnections: 4, maxRefusedSocketsPerAddress: 5 });
    const attack = await openMute(harness, 30, "no-such-key");
    await using _ = attack.held;
    assert.deepEqual([attack.peers.length, attack.refused], [5, 25]);
    assert.equal(harness.realtime.stats().refused, 5);
    for (let n = 0; n < 4; n++) await harness.connectFrom(bystander);
  });

  it("leave another address its refusals in the protocol's own form", async () => {
    await using harness = new AddressHarness({ maxRefusedSocketsPerAddress: 5 });
    const attack = await openMute(harness, 6, "no-such-key");
    await using _ = attack.held;
    assert.equal(await harness.refusal(bystander, "no-such-key"), 4001);
  });

  it("are logged in one line a minute where an address is full, and shown to admins with the remedy", async () => {
    const lines: LogEntry[] = [];
    const clock = new ManualClock();
    const log = (entry: LogEntry) => void lines.push(entry);
    await using harness = new AddressHarness({ maxConnectionsPerAddress: 2, clock, log });
    const attempts = new RejectedAttempts();
    harness.realtime.onRejection((rejection, app) => attempts.add(rejection, app, 1));
    for (let n = 0; n < 2; n++) await harness.connectFrom(stranger);
    for (let n = 0; n < 3; n++) assert.equal(await harness.refusal(stranger), 4100);
    assert.deepEqual(lines.map(({ refused, address, limit }) => [refused, address, limit]), [
      [1, stranger, 2],
    ]);
    assert.match(lines[0].message, /TRUSTED_PROXIES/);
    assert.equal(lines[0].setting, "MAX_CONNECTIONS_PER_ADDRESS");
    clock.advance(60_000);
    assert.deepEqual(lines.map(({ refused }) => refused), [1, 2]);
    clock.advance(120_000);
    assert.equal(lines.length, 2, "none while none is refused");
    const [{ message, times, remedy }] = attempts.of(app.id);
    assert.deepEqual([times, message.endsWith(`: ${stranger}`)], [3, true]);
    assert.match(remedy, /set TRUSTED_PROXIES/);
  });

  it("are few in total, however many addresses they have", async () => {
    await using harness = new AddressHarness({ maxRefusedSockets: 3 });
    await using held = new AsyncDisposableStack();
    for (let n = 0; n < 3; n++) held.use(await harness.mutePeer(`203.0.113.${n}`, "no-such-key"));
    await assert.rejects(harness.mutePeer(stranger, "no-such-key"), /503/);
    await harness.connectFrom(stranger);
  });

  it("make room when their peers have gone", async () => {
    await using harness = new AddressHarness({ maxRefusedSocketsPerAddress: 1 });
    const attack = await openMute(harness, 2, "no-such-key");
    assert.equal(attack.refused, 1);
    await attack.held.disposeAsync();
    await until(() => harness.realtime.stats().refused === 0);
    assert.equal(await harness.refusal(stranger, "no-such-key"), 4001);
  });
});

describe("Sockets that the server closed and whose peer never closes", () => {
  it("count for their address as open ones do, and other addresses are served", async () => {
    await using harness = new AddressHarness({ maxConnections: 4, maxConnectionsPerAddress: 2 });
    const attack = await openMute(harness, 2);
    await using _ = attack.held;
    for (const { socketId = "" } of attack.peers) {
      harness.app.connections.claim(socketId, { userId: "u" });
    }
    assert.equal(harness.app.connections.closeUser("u"), 2);
    assert.equal(await harness.refusal(stranger), 4100);
    for (let n = 0; n < 2; n++) await harness.connectFrom(bystander);
    assert.equal(harness.realtime.stats().closing, 2);
  });

  it("are never more than twice the connections, with the open ones", async () => {
    await using harness = new AddressHarness({ maxConnections: 1 });
    await using held = new AsyncDisposableStack();
    for (let n = 0; n < 2; n++) {
      const { socketId = "" } = held.use(await harness.mutePeer(`203.0.113.${n}`));
      harness.app.connections.claim(socketId, { userId: "u" });
      harness.app.connections.closeUser("u");
    }
    assert.equal(await harness.refusal(bystander), 4100);
  });
});
