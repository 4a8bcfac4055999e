import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { type AppRules, appSettings } from "@/realtime/app_config.ts";
import { defaultLimits } from "@/realtime/options.ts";
import type { Broker, ChannelListener, Room } from "@/realtime/brokers/broker.ts";
import { Hub } from "@/realtime/channels/hub.ts";
import type { Connection } from "@/realtime/connections/connection.ts";
import type { LateList, LoggedFrame } from "@/realtime/connections/send_queue.ts";
import { type Frame, frameOf } from "@/realtime/protocol/outgoing.ts";
import type { Member } from "@/realtime/protocol/member.ts";
import { LocalBroker } from "@/realtime/brokers/local_broker.ts";
import type { ChannelLimits } from "@/realtime/channels/channel_limits.ts";
import { departures } from "@/realtime/events/server_events.ts";
import { added, channel, member, removed } from "../doubles.ts";
import { ManualClock } from "../manual_clock.ts";

const app = { id: "1", key: "key", secret: "secret" };

/** A broker that answers when the test calls its listener. */
class LateBroker implements Broker {
  readonly isShared = true;
  readonly calls: string[] = [];
  listener!: ChannelListener;
  open(name: string, listener: ChannelListener): void {
    this.calls.push(`open ${name}`);
    this.listener = listener;
  }
  close = (name: string) => this.calls.push(`close ${name}`);
  join = (_name: string, { id }: Member, { maxMembers }: Room) =>
    this.calls.push(`join ${id} ${maxMembers}`);
  leave = (_name: string, id: string) => this.calls.push(`leave ${id}`);
  update = () => Promise.resolve(false);
  snapshot = (name: string) => this.calls.push(`snapshot ${name}`);
  subscribers(): void {}
  connections = (count: number) => Promise.resolve(count);
  publish = () => true as const;
  kept = () => undefined;
  cached = () => Promise.resolve(undefined);
  channels = () => Promise.resolve([]);
  sizes = () => Promise.resolve([]);
  members = () => Promise.resolve([]);
  stop(): void {}
  stats = () => ({ brokerChannels: 0, brokerMembers: 0, cachedEvents: 0, cachedBytes: 0 });
}

function hubWithLateBroker(rules: Partial<AppRules> = {}) {
  const broker = new LateBroker();
  const clock = new ManualClock();
  const refused: string[] = [];
  const hub = new Hub(broker, {
    isGuest: () => false,
    limits: defaultLimits,
    clock,
    presenceGraceMs: 0,
    settings: () => appSettings({ ...app, presenceMaxMembers: 100, ...rules }),
    changed() {},
    joined() {},
    published() {},
    countSent() {},
    memberChanged() {},
    activityChanged() {},
    closed() {},
    refused: (connection, name) => void refused.push(`${connection.id} ${name}`),
    emit() {},
  });
  return { broker, clock, hub, refused };
}

function connectionOf(id: string) {
  const sent: string[] = [];
  const send = ({ text }: Frame) => sent.push(JSON.parse(text).event.split(":")[1]);
  const fake = {
    id,
    subscriptions: new Map(),
    send,
    sendLogged: ({ frame }: LoggedFrame) => send(frame),
    sendList: (list: LateList) => send(list.encode()),
    unfollow() {},
  };
  // It has what a hub uses of a connection, and nothing else.
  return { connection: fake as unknown as Connection, sent };
}

describe("Hub, with a broker that answers later", () => {
  it("sends a connection nothing before its user is a member, then the list and every event", () => {
    const { broker, clock, hub } = hubWithLateBroker();
    const [one, other] = [connectionOf("1.1"), connectionOf("1.2")];
    hub.subscribe(one.connection, channel, member("a"));
    assert.equal(hub.presence(channel)?.connections, 1);
    broker.listener.onSnapshot({ version: 7, members: [member("z")] });
    assert.deepEqual(one.sent, []);
    broker.listener.onMembership(added(8, "a"));
    assert.deepEqual(one.sent, []);
    broker.listener.onClaimed("a");
    assert.deepEqual(one.sent, ["subscription_succeeded"]);
    hub.subscribe(other.connection, channel, member("a"));
    assert.deepEqual(other.sent, ["subscription_succeeded"]);
    broker.listener.onMembership(removed(9, "z"));
    clock.advance(0);
    assert.deepEqual(one.sent, ["subscription_succeeded", "member_removed"]);
    assert.deepEqual(broker.calls, [`open ${channel}`, "join a 100", "join a 100"]);
  });

  it("sends the list when all parts of the first one have come, and no change before", () => {
    const { broker, hub } = hubWithLateBroker();
    const { connection, sent } = connectionOf("1.1");
    hub.subscribe(connection, channel, member("a"));
    broker.listener.onClaimed("a");
    broker.listener.onSnapshot({ version: 1, members: [member("a")], isPartial: true });
    broker.listener.onSnapshot({ version: 1, members: [member("b")], isPartial: true });
    assert.deepEqual(sent, []);
    assert.equal(hub.presence(channel)?.members.size, 0);
    broker.listener.onSnapshot({ version: 1, members: [member("b")] });
    assert.deepEqual(sent, ["subscription_succeeded"]);
    assert.equal(hub.presence(channel)?.members.size, 2);
  });

  it("keeps nothing of a connection that unsubscribed before its user was a member", () => {
    const { broker, hub } = hubWithLateBroker();
    const { connection, sent } = connectionOf("1.1");
    hub.subscribe(connection, channel, member("a"));
    assert.equal(hub.unsubscribe(connection, channel), true);
    broker.listener.onSnapshot({ version: 1, members: [] });
    broker.listener.onMembership(added(2, "a"));
    assert.deepEqual(sent, []);
    assert.equal(hub.channels.size, 0);
    assert.deepEqual(broker.calls, [
      `open ${channel}`,
      "join a 100",
      "leave a",
      `close ${channel}`,
    ]);
  });

  it("lets a member's second tab into a full channel, and no other user", () => {
    const { broker, hub } = hubWithLateBroker({ presenceMaxMembers: 1 });
    hub.subscribe(connectionOf("1.1").connection, channel, member("a"));
    broker.listener.onSnapshot({ version: 1, members: [member("a")] });
    broker.listener.onClaimed("a");
    const tab = connectionOf("1.2");
    assert.equal(hub.subscribe(tab.connection, channel, member("a")), undefined);
    assert.deepEqual(tab.sent, ["subscription_succeeded"]);
    assert.equal(hub.subscribe(connectionOf("1.3").connection, channel, member("b")), "members");
  });

  it("refuses all connections of a user for whom the channel turns out to be full", () => {
    const { broker, hub, refused } = hubWithLateBroker();
    const tabs = [connectionOf("1.1"), connectionOf("1.2")];
    for (const { connection } of tabs) hub.subscribe(connection, channel, member("a"));
    broker.listener.onSnapshot({ version: 1, members: [member("z")] });
    broker.listener.onFull("a", "members");
    assert.deepEqual(refused, [`1.1 ${channel}`, `1.2 ${channel}`]);
    assert.deepEqual(tabs.flatMap(({ sent }) => sent), []);
    assert.deepEqual(tabs.map(({ connection }) => connection.subscriptions.size), [0, 0]);
    assert.equal(hub.channels.size, 0);
  });

  it("has a subscriber of a public channel wait until its events would come", () => {
    const { broker, hub } = hubWithLateBroker();
    const [one, gone] = [connectionOf("1.1"), connectionOf("1.2")];
    for (const { connection } of [one, gone]) hub.subscribe(connection, "news");
    hub.unsubscribe(gone.connection, "news");
    assert.deepEqual(one.sent, []);
    broker.listener.onOpened();
    assert.deepEqual([one.sent, gone.sent], [["subscription_succeeded"], []]);
    hub.unsubscribe(one.connection, "news");
    assert.deepEqual(broker.calls, ["open news", "close news"]);
  });

  it("knows the members of a channel that it follows without a subscriber", () => {
    const { broker, hub } = hubWithLateBroker();
    hub.follow(channel);
    const { connection } = connectionOf("1.1");
    hub.subscribe(connection, channel, member("a"));
    broker.listener.onSnapshot({ version: 1, members: [member("z")] });
    hub.unsubscribe(connection, channel);
    assert.equal(hub.presence(channel)?.members.size, 1);
    assert.equal(broker.calls.at(-1), "leave a");
  });

  it("requests a snapshot after a gap in the versions, and sends subscribers the difference", () => {
    const { broker, hub } = hubWithLateBroker();
    const { connection, sent } = connectionOf("1.1");
    hub.subscribe(connection, channel, member("a"));
    broker.listener.onSnapshot({ version: 1, members: [member("a"), member("b")] });
    broker.listener.onClaimed("a");
    broker.listener.onMembership(added(4, "d"));
    assert.equal(broker.calls.at(-1), `snapshot ${channel}`);
    broker.listener.onSnapshot({ version: 4, members: [member("a"), member("d")] });
    assert.deepEqual(sent, ["subscription_succeeded", "member_removed", "member_added"]);
  });
});

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
    activityChanged() {},
    closed() {},
    refused() {},
    emit() {},
  });
  return { broker, hub, clock };
}

function connectionAt(id: string, address?: string) {
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
    const [one, other] = [connectionAt("1.1"), connectionAt("1.2")];
    for (const { connection } of [one, other]) hub.subscribe(connection, "private-a");
    hub.publish("private-a", frameOf('{"event":"news"}'), { except: "1.1" });
    assert.equal(one.sent.includes("news"), false);
    assert.equal(other.sent.at(-1), "news");
  });

  it("are all left by a connection that closes, and closed when it was the last", () => {
    const { hub } = hubOf();
    const { connection } = connectionAt("1.1");
    for (const name of ["a", "private-b"]) hub.subscribe(connection, name);
    hub.subscribe(connection, channel, member("ann"));
    hub.release(connection, departures.unsubscribed);
    assert.deepEqual([...hub.channels.keys()], []);
  });

  it("have room for another when one is closed, and let in at the limit where one is open", () => {
    const { hub } = hubOf({ limits: { maxChannels: 1 } });
    const { connection } = connectionAt("1.1");
    hub.subscribe(connection, "a");
    assert.equal(hub.exceededBy("b", undefined), "channels");
    assert.equal(hub.exceededBy("a", undefined), undefined);
    hub.unsubscribe(connection, "a");
    assert.equal(hub.exceededBy("b", undefined), undefined);
  });

  it("count for the address that opened them while they are public and open", () => {
    const { hub } = hubOf({ limits: { maxPublicChannelsPerAddress: 1 } });
    const { connection } = connectionAt("1.1", "192.0.2.1");
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
    hub.subscribe(connectionAt("1.1", "192.0.2.1").connection, "a");
    assert.equal(hub.exceededBy("b", "192.0.2.1"), undefined);
  });

  it("are not sent their number of subscribers while the server stops", () => {
    const { hub } = hubOf();
    const [one, other] = [connectionAt("1.1"), connectionAt("1.2")];
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
    const { connection } = connectionAt("1.1");
    hub.subscribe(connection, channel, member("ann"));
    hub.release(connection, departures.closed);
    clock.advance(999);
    assert.equal(hub.presence(channel)?.members.size, 1);
    clock.advance(1);
    assert.equal(hub.presence(channel), undefined);
  });

  it("keeps all members while the server stops, even without a leave grace", () => {
    const { hub, clock } = hubOf();
    const [ann, bob] = [connectionAt("1.1"), connectionAt("1.2")];
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
      hub.subscribe(connectionAt(id).connection, channel, member(id)) ?? "in";
    assert.deepEqual(["guest-a", "guest-b", "guest-c"].map(join), ["in", "in", "members"]);
    assert.deepEqual(["ann", "bob", "eve"].map(join), ["in", "in", "members"]);
  });
});
