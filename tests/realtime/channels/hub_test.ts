import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { type AppRules, appSettings } from "@/realtime/app_config.ts";
import { defaultLimits } from "@/realtime/options.ts";
import type { Broker, ChannelListener, Room } from "@/realtime/brokers/broker.ts";
import { Hub } from "@/realtime/channels/hub.ts";
import type { Connection } from "@/realtime/connections/connection.ts";
import type { LateList, LoggedFrame } from "@/realtime/connections/send_queue.ts";
import type { Frame } from "@/realtime/protocol/outgoing.ts";
import type { Member } from "@/realtime/protocol/member.ts";
import { added, channel, member, removed } from "../broker_events.ts";
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
