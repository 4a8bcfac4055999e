import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { appSettings } from "@/realtime/app_config.ts";
import { LocalBroker } from "@/realtime/brokers/local_broker.ts";
import type { ChannelLimits } from "@/realtime/channels/channel_limits.ts";
import { Hub } from "@/realtime/channels/hub.ts";
import type { Connection } from "@/realtime/connections/connection.ts";
import type { LateList, LoggedFrame } from "@/realtime/connections/send_queue.ts";
import { departures } from "@/realtime/events/server_events.ts";
import { defaultLimits } from "@/realtime/options.ts";
import { type Frame, frameOf } from "@/realtime/protocol/outgoing.ts";
import { channel, member } from "../broker_events.ts";
import { ManualClock } from "../manual_clock.ts";

function hubOf(
  { limits = {}, graceMs = 0, presenceMaxMembers = 100 }: {
    limits?: Partial<ChannelLimits>;
    graceMs?: number;
    presenceMaxMembers?: number;
  } = {},
) {
  const clock = new ManualClock();
  const rules = { presenceMaxMembers, subscriptionCount: true };
  const settings = appSettings({ id: "1", key: "key", secret: "secret", ...rules });
  const broker = new LocalBroker({ clock, emit() {}, maxCacheBytes: () => 1_000 });
  const hub = new Hub(broker, {
    isGuest: (id) => id.startsWith("guest-"),
    limits: { ...defaultLimits, ...limits },
    clock,
    presenceGraceMs: graceMs,
    settings: () => settings,
    changed() {},
    joined() {},
    published() {},
    countSent() {},
    memberChanged() {},
    closed() {},
    refused() {},
    emit() {},
  });
  return { broker, hub, clock };
}

function connectionOf(id: string, address?: string) {
  const sent: string[] = [];
  const send = ({ text }: Frame) => sent.push(JSON.parse(text).event.replace(/.*:/, ""));
  const fake = {
    id,
    address,
    subscriptions: new Map(),
    send,
    sendLogged: ({ frame, except }: LoggedFrame) => void (except === id || send(frame)),
    sendList: (list: LateList) => send(list.encode()),
    unfollow() {},
  };
  // It has what a hub uses of a connection, and nothing else.
  return { connection: fake as unknown as Connection, sent };
}

describe("The channels of an app", () => {
  it("send a published event to all subscribers but the excepted one", () => {
    const { hub } = hubOf();
    const [one, other] = [connectionOf("1.1"), connectionOf("1.2")];
    for (const { connection } of [one, other]) hub.subscribe(connection, "private-a");
    hub.publish("private-a", frameOf('{"event":"news"}'), { except: "1.1" });
    assert.equal(one.sent.includes("news"), false);
    assert.equal(other.sent.at(-1), "news");
  });

  it("are all left by a connection that closes, and closed when it was the last", () => {
    const { hub } = hubOf();
    const { connection } = connectionOf("1.1");
    for (const name of ["a", "private-b"]) hub.subscribe(connection, name);
    hub.subscribe(connection, channel, member("ann"));
    hub.release(connection, departures.unsubscribed);
    assert.deepEqual([...hub.channels.keys()], []);
  });

  it("have room for another when one is closed, and let in at the limit where one is open", () => {
    const { hub } = hubOf({ limits: { maxChannels: 1 } });
    const { connection } = connectionOf("1.1");
    hub.subscribe(connection, "a");
    assert.equal(hub.exceededBy("b", undefined), "channels");
    assert.equal(hub.exceededBy("a", undefined), undefined);
    hub.unsubscribe(connection, "a");
    assert.equal(hub.exceededBy("b", undefined), undefined);
  });

  it("count for the address that opened them while they are public and open", () => {
    const { hub } = hubOf({ limits: { maxPublicChannelsPerAddress: 1 } });
    const { connection } = connectionOf("1.1", "192.0.2.1");
    hub.subscribe(connection, "private-x");
    assert.equal(hub.exceededBy("a", "192.0.2.1"), undefined);
    hub.subscribe(connection, "a");
    assert.equal(hub.exceededBy("b", "192.0.2.1"), "publicChannelsOfAddress");
    assert.equal(hub.exceededBy("private-b", "192.0.2.1"), undefined);
    assert.equal(hub.exceededBy("b", "192.0.2.2"), undefined);
    hub.unsubscribe(connection, "a");
    assert.equal(hub.exceededBy("b", "192.0.2.1"), undefined);
  });

  it("have no limit for an address where addresses have none, as behind a proxy that hides them", () => {
    const limits = { maxPublicChannelsPerAddress: 1, maxConnectionsPerAddress: 0 };
    const { hub } = hubOf({ limits });
    hub.subscribe(connectionOf("1.1", "192.0.2.1").connection, "a");
    assert.equal(hub.exceededBy("b", "192.0.2.1"), undefined);
  });

  it("are not sent their number of subscribers while the server stops", () => {
    const { hub } = hubOf();
    const [one, other] = [connectionOf("1.1"), connectionOf("1.2")];
    for (const { connection } of [one, other]) hub.subscribe(connection, "a");
    assert.equal(one.sent.at(-1), "subscription_count");
    const before = one.sent.length;
    hub.pause();
    hub.release(other.connection, departures.serverStopped);
    assert.equal(one.sent.length, before);
  });
});

describe("A cache channel of this server", () => {
  it("keeps its event for 30 minutes, and rounds the seconds that are left up", async () => {
    const { broker, hub, clock } = hubOf();
    hub.publish("cache-a", frameOf('{"event":"news","data":"{}"}'));
    assert.deepEqual(await broker.cached("cache-a"), { data: "{}", ttl: 1_800 });
    clock.advance(1_800_000 - 1);
    assert.deepEqual(await broker.cached("cache-a"), { data: "{}", ttl: 1 });
    clock.advance(1);
    assert.equal(await broker.cached("cache-a"), undefined);
  });
});

describe("A presence channel of this server", () => {
  it("stays open in the leave grace of its last user, and is closed after it", () => {
    const { hub, clock } = hubOf({ graceMs: 1_000 });
    const { connection } = connectionOf("1.1");
    hub.subscribe(connection, channel, member("ann"));
    hub.release(connection, departures.closed);
    clock.advance(999);
    assert.equal(hub.presence(channel)?.members.size, 1);
    clock.advance(1);
    assert.equal(hub.presence(channel), undefined);
  });

  it("keeps all members while the server stops, even without a leave grace", () => {
    const { hub, clock } = hubOf();
    const [ann, bob] = [connectionOf("1.1"), connectionOf("1.2")];
    hub.subscribe(ann.connection, channel, member("ann"));
    hub.subscribe(bob.connection, channel, member("bob"));
    hub.pause();
    hub.release(bob.connection, departures.serverStopped);
    clock.advance(60_000);
    assert.equal(ann.sent.includes("member_removed"), false);
  });

  it("has room for users however many guests are in it, and for guests while it is not full", () => {
    const { hub } = hubOf({ presenceMaxMembers: 2 });
    const join = (id: string) =>
      hub.subscribe(connectionOf(id).connection, channel, member(id)) ?? "in";
    assert.deepEqual(["guest-a", "guest-b", "guest-c"].map(join), ["in", "in", "members"]);
    assert.deepEqual(["ann", "bob", "eve"].map(join), ["in", "in", "members"]);
  });
});
