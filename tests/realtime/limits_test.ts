import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import type { LimitName } from "@/realtime/server.ts";
import { signChannel, signUser } from "@/realtime/protocol/signature.ts";
import { ManualClock } from "./manual_clock.ts";
import { MutePeer } from "./mute_peer.ts";
import { app, type Client, Harness, type HarnessOptions, until } from "./harness.ts";

/** Asserts that only this limit was exceeded, and how often. */
function assertCounted(harness: Harness, limit: LimitName, times = 1): void {
  const passed = Object.entries(harness.realtime.stats().refusals).filter(([, count]) => count > 0);
  assert.deepEqual(passed, [[limit, times]]);
}

const connecting: [limit: LimitName, options: HarnessOptions, code: number][] = [
  ["connections", { maxConnections: 2 }, 4100],
  ["connectionsOfApp", { rules: { maxConnections: 2 } }, 4004],
  ["connectionsOfAddress", { maxConnectionsPerAddress: 2 }, 4100],
];

const sending: [limit: LimitName, options: HarnessOptions, act: (client: Client) => void][] = [
  ["subscriptionsOfConnection", { maxSubscriptionsPerConnection: 2 }, (client) => {
    for (const name of ["a", "b", "c"]) client.subscribe(name);
  }],
  ["channels", { maxChannels: 2 }, (client) => {
    for (const name of ["a", "b", "c"]) client.subscribe(name);
  }],
  ["publicChannels", { maxPublicChannels: 2 }, (client) => {
    for (const name of ["a", "b", "c"]) client.subscribe(name);
    client.joinAs("u");
  }],
  ["publicChannelsOfAddress", { maxPublicChannelsPerAddress: 2 }, (client) => {
    for (const name of ["a", "b", "c"]) client.subscribe(name);
    client.joinAs("u");
  }],
  ["frameBytes", { maxFrameBytes: 100 }, (client) => client.sendRaw("x".repeat(101))],
  ["eventBytes", { rules: { clientEvents: true, maxEventBytes: 10 } }, (client) => {
    client.joinAs("u");
    for (const data of ["x".repeat(10), "x".repeat(11)]) {
      client.sendRaw(JSON.stringify({ event: "client-a", channel: "presence-room", data }));
    }
  }],
];

/** Publishes to a peer that reads nothing and one that does, until the first is closed. */
async function flood(options: HarnessOptions, limit: LimitName): Promise<void> {
  await using harness = new Harness(options);
  const ann = await harness.connect();
  ann.subscribe("news");
  await ann.settled();
  using mute = await MutePeer.connect(harness.port);
  await mute.send("pusher:subscribe", { channel: "news" });
  await until(() => harness.realtime.stats().subscriptions === 2);
  const frame = "x".repeat(50_000);
  for (let sent = 0; harness.realtime.stats().subscriptions === 2; sent++) {
    assert.ok(sent < 1_000, "50 MB were taken for a peer that reads nothing");
    harness.app.publish("news", "much", frame);
    await ann.next("much");
  }
  assertCounted(harness, limit);
  assert.deepEqual(await ann.settled(), []);
}

const empty = { addresses: 0, refused: 0, refusedAddresses: 0 };

describe("The limit", () => {
  for (const [limit, options, code] of connecting) {
    it(`${limit}: closes a further client with ${code}, and has room again when one is gone`, async () => {
      await using harness = new Harness(options);
      const [first, second] = [await harness.connect(), await harness.connect()];
      const over = harness.open();
      assert.equal((await over.next("pusher:error")).data.code, code);
      assert.equal((await over.closed).code, code);
      assertCounted(harness, limit);
      first.close();
      await until(() => harness.realtime.stats().connections === 1);
      await harness.connect();
      assert.deepEqual(await second.settled(), []);
    });

    it(`${limit}: holds for sockets that open in the same moment`, async () => {
      await using harness = new Harness(options);
      const clients = Array.from({ length: 8 }, () => harness.open());
      const first = await Promise.all(
        clients.map((client) =>
          client.next("pusher:connection_established").then(() => true, () => false)
        ),
      );
      assert.equal(first.filter((established) => established).length, 2);
      assertCounted(harness, limit, 6);
    });
  }

  it("connectionsOfAddress: keeps no address without connections", async () => {
    await using harness = new Harness();
    const clients = [await harness.connect(), await harness.connect()];
    await harness.open("/app/unknown?protocol=7").closed;
    assert.equal(harness.realtime.stats().addresses, 1);
    for (const client of clients) client.close();
    await until(() => harness.realtime.stats().connections === 0);
    const { addresses, refused, refusedAddresses } = harness.realtime.stats();
    assert.deepEqual({ addresses, refused, refusedAddresses }, empty);
  });

  for (const [limit, options, act] of sending) {
    it(`${limit}: answers what exceeds it with an error and counts it; the connection stays open`, async () => {
      await using harness = new Harness(options);
      const client = await harness.connect();
      act(client);
      const errors = (await client.settled()).filter(({ event }) => event === "pusher:error");
      assert.equal(errors.length, 1);
      assertCounted(harness, limit);
    });
  }

  it("members: refuses and counts a further user, and lets a member in again", async () => {
    await using harness = new Harness({ rules: { presenceMaxMembers: 1 } });
    await harness.member("ann");
    const client = await harness.connect();
    client.joinAs("bob");
    assert.match((await client.next("pusher:error")).data.message, /full: 1 members/);
    assertCounted(harness, "members");
    await harness.member("ann");
  });

  it("members: counts quiet members too", async () => {
    await using harness = new Harness({ rules: { presenceMaxMembers: 1, quietChannels: ["*"] } });
    await harness.member("ann");
    const client = await harness.connect();
    client.joinAs("bob");
    assert.match((await client.next("pusher:error")).data.message, /full: 1 members/);
  });

  it("fullMembers: refuses a further user who is not quiet, tells of quiet members, and lets a full one in again", async () => {
    await using harness = new Harness({
      rules: { presenceMaxFullMembers: 1 },
      isGuest: (id) => id.startsWith("guest-"),
      presenceGraceMs: 60_000,
    });
    await harness.member("guest-1");
    const ann = await harness.member("ann");
    const client = await harness.connect();
    for (const userId of ["bob", "guest-2"]) {
      client.joinAs(userId);
      const { data } = await client.next("pusher:subscription_error");
      assert.deepEqual([data.type, data.status], ["LimitReached", 4004]);
      assert.match(data.error, /1 members that .* "rollcall": \{"quiet": true\}/);
    }
    assertCounted(harness, "fullMembers", 2);
    client.joinAs("bob", "presence-room", { rollcall: { quiet: true } });
    await client.next("rollcall:count");
    ann.close();
    await until(() => harness.realtime.stats().connections === 2);
    await harness.member("ann");
  });

  it("memberList: refuses one who is not quiet where the list is too long", async () => {
    await using harness = new Harness({ maxMemberListLength: 20 });
    await harness.member("ann");
    const quiet = await harness.connect();
    quiet.joinAs("bob", "presence-room", { name: "x".repeat(20), rollcall: { quiet: true } });
    await quiet.next("rollcall:count");
    const client = await harness.connect();
    client.joinAs("cem");
    const { data } = await client.next("pusher:subscription_error");
    assert.match(data.error, /too long.*quiet/);
    assertCounted(harness, "memberList");
  });

  it("memberBytes: refuses and counts larger user_info, at subscribing and at sign-in", async () => {
    await using harness = new Harness({ rules: { presenceMaxInfoBytes: 20 } });
    const client = await harness.connect();
    const infoOf = (bytes: number) => ({ a: "x".repeat(bytes - '{"a":""}'.length) });
    for (const bytes of [20, 21]) {
      const channel = `presence-${bytes}`;
      const data = JSON.stringify({ user_id: "ann", user_info: infoOf(bytes) });
      client.subscribe(channel, signChannel(app, client.socketId, channel, data), data);
    }
    await client.next("pusher_internal:subscription_succeeded");
    assert.match((await client.next("pusher:error")).data.message, /over the limit of 20 bytes/);
    assertCounted(harness, "memberBytes");
    const user_data = JSON.stringify({ id: "ann", user_info: infoOf(21) });
    client.send("pusher:signin", { auth: signUser(app, client.socketId, user_data), user_data });
    assert.match((await client.next("pusher:error")).data.message, /over the limit of 20 bytes/);
    assertCounted(harness, "memberBytes", 2);
  });

  it("messagesPerSecond: ignores a further frame, and takes frames in the next second", async () => {
    const clock = new ManualClock();
    await using harness = new Harness({ rules: { maxMessagesPerSecond: 3 }, clock });
    const client = await harness.connect();
    for (const name of ["a", "b", "c", "d"]) client.subscribe(name);
    assert.match((await client.next("pusher:error")).data.message, /3 messages a second/);
    assert.equal(harness.realtime.stats().channels, 3);
    assertCounted(harness, "messagesPerSecond");
    clock.advance(1_000);
    assert.deepEqual(await client.settled(), []);
    const drained = harness.realtime.drain(0);
    await client.closed;
    clock.advance(1_000);
    await drained;
  });

  it("messagesPerSecond: does not apply when it is 0", async () => {
    const clock = new ManualClock();
    await using harness = new Harness({ rules: { maxMessagesPerSecond: 0 }, clock });
    const client = await harness.connect();
    for (let sent = 0; sent < 600; sent++) client.send("pusher:pong", {});
    assert.deepEqual(await client.settled(), []);
    assert.equal(harness.realtime.stats().refusals.messagesPerSecond, 0);
    const drained = harness.realtime.drain(0);
    await client.closed;
    clock.advance(1_000);
    await drained;
  });

  it("clientEventsPerSecond and errors: are counted", async () => {
    const rules = { clientEvents: true, clientEventsPerSecond: 1 };
    const clock = new ManualClock();
    await using harness = new Harness({ rules, clock, maxErrors: 1 });
    const client = await harness.member("u");
    for (let sent = 0; sent < 2; sent++) {
      client.sendRaw(JSON.stringify({ event: "client-a", channel: "presence-room" }));
    }
    assert.equal((await client.settled())[0].data.code, 4301);
    assertCounted(harness, "clientEventsPerSecond");
    for (let sent = 0; sent < 2; sent++) client.sendRaw("x");
    while ((await client.next("pusher:error")).data.code !== 4009);
    clock.advance(50);
    assert.equal((await client.closed).code, 4009);
    assert.equal(harness.realtime.stats().refusals.errors, 1);
  });

  it("unreadBytes: closes and counts a peer that leaves too much unread", async () => {
    await flood({ maxBufferedBytes: 100_000 }, "unreadBytes");
  });

  it("unreadBytesInTotal: closes the peer with the most unread bytes, not one that reads", async () => {
    await flood({ maxBufferedBytes: 1e9, maxTotalBufferedBytes: 1_000_000 }, "unreadBytesInTotal");
  });

  it("of one app does not apply to another", async () => {
    const other = { id: "2", key: "other-key", secret: "other-secret" };
    await using harness = new Harness({ apps: [{ ...app, maxConnections: 1 }, other] });
    await harness.connect();
    await harness.connect(other.key);
    assert.equal((await harness.open().closed).code, 4004);
    await harness.connect(other.key);
  });
});
