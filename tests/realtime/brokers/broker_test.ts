import assert from "node:assert/strict";
import fc from "fast-check";
import type {
  Broker,
  BrokerListener,
  Member,
  Membership,
} from "../../../realtime/brokers/broker.ts";
import type { Connection } from "../../../realtime/connections/connection.ts";
import type { Frame } from "../../../realtime/protocol/frame.ts";
import { Hub } from "../../../realtime/channels/hub.ts";
import { LocalBroker } from "../../../realtime/brokers/local_broker.ts";
import { type Applied, MemberList } from "../../../realtime/channels/member_list.ts";
import { ManualClock } from "../manual_clock.ts";

const channel = "presence-room";
const member = (id: string, info = "{}"): Member => ({ id, info });
const added = (version: number, id: string): Membership => ({
  type: "added",
  channel,
  version,
  member: member(id),
});
const removed = (version: number, userId: string): Membership => ({
  type: "removed",
  channel,
  version,
  userId,
});
const told = ({ changes }: Applied) =>
  changes.map((change) => "added" in change ? `+${change.added.id}` : `-${change.removed}`);

function listOf(version: number, ...ids: string[]): MemberList {
  const list = new MemberList(channel);
  list.replace({ channel, version, members: ids.map((id) => member(id)) });
  return list;
}

Deno.test("events in order are changes; one seen before is none", () => {
  const list = listOf(3, "a");
  assert.deepEqual(told(list.apply(added(4, "b"))), ["+b"]);
  assert.deepEqual(told(list.apply(added(4, "b"))), []);
  assert.deepEqual(told(list.apply(removed(5, "a"))), ["-a"]);
  assert.deepEqual(list.ids(), ["b"]);
});

Deno.test("a gap asks for a snapshot and changes nothing; the snapshot gives the difference", () => {
  const list = listOf(1, "a", "b");
  assert.deepEqual(list.apply(added(3, "d")), { changes: [], needsSnapshot: true });
  assert.deepEqual(list.ids(), ["a", "b"]);
  const members = [member("b"), member("c"), member("d")];
  const applied = list.replace({ channel, version: 3, members });
  assert.deepEqual(told(applied), ["-a", "+c", "+d"]);
  assert.equal(applied.needsSnapshot, false);
});

Deno.test("a snapshot that is older than an event seen asks for another", () => {
  const list = listOf(1, "a");
  list.apply(added(5, "e"));
  const applied = list.replace({ channel, version: 4, members: [member("a"), member("d")] });
  assert.deepEqual([told(applied), applied.needsSnapshot], [["+d"], true]);
  assert.deepEqual(told(list.apply(added(5, "e"))), ["+e"]);
});

Deno.test("a snapshot that is older than the list is ignored", () => {
  const list = listOf(5, "a");
  assert.deepEqual(told(list.replace({ channel, version: 4, members: [] })), []);
});

Deno.test("a member whose info changed unseen left and came again", () => {
  const list = listOf(1, "a");
  const applied = list.replace({ channel, version: 9, members: [member("a", '{"new":1}')] });
  assert.deepEqual(told(applied), ["-a", "+a"]);
});

Deno.test("however events are lost, doubled or late, a snapshot makes the list right", () => {
  const lost = fc.array(fc.tuple(fc.constantFrom("a", "b", "c"), fc.integer({ min: 0, max: 2 })));
  fc.assert(fc.property(lost, (toggles) => {
    const truth = new Set<string>();
    const list = listOf(0);
    let version = 0;
    for (const [id, times] of toggles) {
      const event = truth.delete(id) ? removed(++version, id) : added(++version, id);
      if (event.type === "added") truth.add(id);
      for (let time = 0; time < times; time++) list.apply(event);
    }
    list.replace({ channel, version, members: [...truth].map((id) => member(id)) });
    assert.deepEqual(list.ids().sort(), [...truth].sort());
    assert.match(list.encode().text, new RegExp(`count\\\\":${truth.size}}`));
  }));
});

Deno.test("the local broker tells of first and last only, in versions without a gap", () => {
  const heard: string[] = [];
  const occurred: string[] = [];
  const broker = new LocalBroker();
  broker.attach({
    onMembership: (event) => heard.push(`${event.type} ${event.version}`),
    onSnapshot: ({ version, members }) => heard.push(`snapshot ${version} ${members.length}`),
    onPublished() {},
    onServerEvent: (occurrence) => {
      occurred.push("userId" in occurrence ? `${occurrence.name} a` : occurrence.name);
    },
  });
  broker.open(channel);
  broker.join(channel, member("a"), 1);
  broker.join(channel, member("a"), 2);
  broker.leave(channel, "a", "closed");
  broker.leave(channel, "a", "closed");
  broker.snapshot(channel);
  broker.close(channel);
  broker.join(channel, member("a"), 1);
  broker.close(channel);
  assert.deepEqual(heard, ["snapshot 0 0", "added 1", "removed 2", "snapshot 2 0"]);
  assert.deepEqual(occurred, [
    "channel_occupied",
    "member_added a",
    "member_removed a",
    "channel_vacated",
  ]);
  assert.equal(broker.size, 0);
});

/** A broker that answers when it is told to. */
class LateBroker implements Broker {
  readonly asked: string[] = [];
  listener!: BrokerListener;
  attach(listener: BrokerListener): void {
    this.listener = listener;
  }
  open = (name: string) => this.asked.push(`open ${name}`);
  close = (name: string) => this.asked.push(`close ${name}`);
  join = (_name: string, { id }: Member, count: number) => this.asked.push(`join ${id} ${count}`);
  leave = (_name: string, id: string) => this.asked.push(`leave ${id}`);
  snapshot = (name: string) => this.asked.push(`snapshot ${name}`);
  publish(_channel: string, _frame: Frame): void {}
}

function late() {
  const broker = new LateBroker();
  const hub = new Hub(broker, { graceMs: 0, clock: new ManualClock(), wake() {} });
  return { broker, hub };
}

function connectionOf(id: string) {
  const sent: string[] = [];
  const send = ({ text }: Frame) => sent.push(JSON.parse(text).event.split(":")[1]);
  const fake = { id, subscriptions: new Map(), send, sendLarge: send };
  return { connection: fake as unknown as Connection, sent };
}

Deno.test("a connection is in once its user is a member; only then does it hear events", () => {
  const { broker, hub } = late();
  const [one, other] = [connectionOf("1.1"), connectionOf("1.2")];
  hub.joinAs(one.connection, channel, member("a"));
  broker.listener.onSnapshot({ channel, version: 7, members: [member("z")] });
  assert.deepEqual(one.sent, []);
  broker.listener.onMembership(added(8, "a"));
  assert.deepEqual(one.sent, ["subscription_succeeded"]);
  hub.joinAs(other.connection, channel, member("a"));
  assert.deepEqual(other.sent, ["subscription_succeeded"]);
  broker.listener.onMembership(removed(9, "z"));
  assert.deepEqual(one.sent, ["subscription_succeeded", "member_removed"]);
  assert.deepEqual(broker.asked, [`open ${channel}`, "join a 1", "join a 2"]);
});

Deno.test("unsubscribing while the subscription is pending leaves nothing behind", () => {
  const { broker, hub } = late();
  const { connection, sent } = connectionOf("1.1");
  hub.joinAs(connection, channel, member("a"));
  assert.equal(hub.leave(connection, channel), true);
  broker.listener.onSnapshot({ channel, version: 1, members: [] });
  broker.listener.onMembership(added(2, "a"));
  assert.deepEqual(sent, []);
  assert.equal(hub.channels.size, 0);
  assert.deepEqual(broker.asked, [`open ${channel}`, "join a 1", "leave a", `close ${channel}`]);
});

Deno.test("a gap in the events makes the hub ask, and subscribers hear the difference", () => {
  const { broker, hub } = late();
  const { connection, sent } = connectionOf("1.1");
  hub.joinAs(connection, channel, member("a"));
  broker.listener.onSnapshot({ channel, version: 1, members: [member("a"), member("b")] });
  broker.listener.onMembership(added(4, "d"));
  assert.equal(broker.asked.at(-1), `snapshot ${channel}`);
  broker.listener.onSnapshot({ channel, version: 4, members: [member("a"), member("d")] });
  assert.deepEqual(sent, ["subscription_succeeded", "member_removed", "member_added"]);
});
