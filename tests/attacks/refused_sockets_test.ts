import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import type { WebSocketPeer } from "../fuzz/websocket_peer.ts";
import { RejectedAttempts } from "@/server/apps/rejected_attempts.ts";
import type { LogEntry } from "@/realtime/server.ts";
import { ManualClock } from "../realtime/manual_clock.ts";
import { app, until } from "../realtime/rig.ts";
import { AddressRig, bystander, stranger } from "./address_rig.ts";

/** Opens sockets one after the other, and keeps them open whatever the server sends. */
async function openMute(
  rig: AddressRig,
  count: number,
  key?: string,
): Promise<{ held: AsyncDisposableStack; peers: WebSocketPeer[]; refused: number }> {
  const held = new AsyncDisposableStack();
  const peers: WebSocketPeer[] = [];
  let refused = 0;
  for (let n = 0; n < count; n++) {
    try {
      peers.push(held.use(await rig.mutePeer(stranger, key)));
    } catch (error) {
      assert.match(String(error), /503/);
      refused++;
    }
  }
  return { held, peers, refused };
}

describe("Sockets that were refused and whose peer never closes", () => {
  it("are few for an address, and take the place of no client that is admitted", async () => {
    await using rig = new AddressRig({ maxConnections: 4, maxRefusedSocketsPerAddress: 5 });
    const attack = await openMute(rig, 30, "no-such-key");
    await using _ = attack.held;
    assert.deepEqual([attack.peers.length, attack.refused], [5, 25]);
    assert.equal(rig.realtime.stats().refused, 5);
    for (let n = 0; n < 4; n++) await rig.connectFrom(bystander);
  });

  it("leave another address its refusals in the protocol's own form", async () => {
    await using rig = new AddressRig({ maxRefusedSocketsPerAddress: 5 });
    const attack = await openMute(rig, 6, "no-such-key");
    await using _ = attack.held;
    assert.equal(await rig.refusal(bystander, "no-such-key"), 4001);
  });

  it("are logged in one line a minute where an address is full, and shown to admins with the remedy", async () => {
    const lines: LogEntry[] = [];
    const clock = new ManualClock();
    const log = (entry: LogEntry) => void lines.push(entry);
    await using rig = new AddressRig({ maxConnectionsPerAddress: 2, clock, log });
    const attempts = new RejectedAttempts();
    rig.realtime.onRejection((rejection, app) => attempts.add(rejection, app, 1));
    for (let n = 0; n < 2; n++) await rig.connectFrom(stranger);
    for (let n = 0; n < 3; n++) assert.equal(await rig.refusal(stranger), 4100);
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
    await using rig = new AddressRig({ maxRefusedSockets: 3 });
    await using held = new AsyncDisposableStack();
    for (let n = 0; n < 3; n++) held.use(await rig.mutePeer(`203.0.113.${n}`, "no-such-key"));
    await assert.rejects(rig.mutePeer(stranger, "no-such-key"), /503/);
    await rig.connectFrom(stranger);
  });

  it("make room when their peers have gone", async () => {
    await using rig = new AddressRig({ maxRefusedSocketsPerAddress: 1 });
    const attack = await openMute(rig, 2, "no-such-key");
    assert.equal(attack.refused, 1);
    await attack.held.disposeAsync();
    await until(() => rig.realtime.stats().refused === 0);
    assert.equal(await rig.refusal(stranger, "no-such-key"), 4001);
  });
});

describe("Sockets that the server closed and whose peer never closes", () => {
  it("count for their address as open ones do, and other addresses are served", async () => {
    await using rig = new AddressRig({ maxConnections: 4, maxConnectionsPerAddress: 2 });
    const attack = await openMute(rig, 2);
    await using _ = attack.held;
    for (const { socketId = "" } of attack.peers) {
      rig.app.connections.claim(socketId, { userId: "u" });
    }
    assert.equal(rig.app.connections.closeUser("u"), 2);
    assert.equal(await rig.refusal(stranger), 4100);
    for (let n = 0; n < 2; n++) await rig.connectFrom(bystander);
    assert.equal(rig.realtime.stats().closing, 2);
  });

  it("are never more than twice the connections, with the open ones", async () => {
    await using rig = new AddressRig({ maxConnections: 1 });
    await using held = new AsyncDisposableStack();
    for (let n = 0; n < 2; n++) {
      const { socketId = "" } = held.use(await rig.mutePeer(`203.0.113.${n}`));
      rig.app.connections.claim(socketId, { userId: "u" });
      rig.app.connections.closeUser("u");
    }
    assert.equal(await rig.refusal(bystander), 4100);
  });
});
