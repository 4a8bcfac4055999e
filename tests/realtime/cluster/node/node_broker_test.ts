import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { IgnoredMessages, memberText } from "@/realtime/cluster/messages/room_message.ts";
import { Node, type NodeListener } from "@/realtime/cluster/node/node.ts";
import { NodeBrokers } from "@/realtime/cluster/node/node_broker.ts";
import { App } from "@/realtime/app.ts";
import { Unavailable } from "@/realtime/brokers/broker.ts";
import { resolveOptions } from "@/realtime/options.ts";
import { frameOf } from "@/realtime/protocol/outgoing.ts";
import {
  asConnection,
  channel,
  FakeConnection,
  listenerOf,
  member,
  strictListeners,
} from "../../doubles.ts";
import { describeBroker } from "../../brokers/broker_rules.ts";
import { describePresence } from "../../brokers/presence_rules.ts";
import { ManualClock } from "../../manual_clock.ts";
import { MemoryState } from "../state/memory_state.ts";
import { MemoryLink, settle } from "./memory_link.ts";

const nothing = { members: 0, subscribers: 0 };

/** A server alone on data in memory. */
async function serverOn(clock: ManualClock) {
  const link = new MemoryLink();
  const data = new MemoryState({
    leaseMs: 10_000,
    now: clock.date,
    publish: (room, message) => link.receive(room, message),
  });
  const state = link.stateOf(data);
  const log = () => {};
  const ignored = new IgnoredMessages(log);
  const node = new Node({
    state,
    link,
    clock,
    number: 1,
    leaseMs: 10_000,
    heartbeatMs: 1_000,
    log,
    totals: () => "{}",
    wasPlanned: () => false,
  });
  await node.start();
  const topicOf = (room: string) => room;
  const { make: broker } = new NodeBrokers({ node, state, link, topicOf, ignored });
  return { data, node, link, broker };
}

describeBroker("NodeBroker", async () => {
  const clock = new ManualClock();
  const { data, node, broker: make } = await serverOn(clock);
  const broker = make({ appId: "1", clock, emit() {}, maxCacheBytes: () => 1_000 });
  return {
    broker,
    takeServerEvents: () =>
      data.log.splice(0).map(({ name, user }) => user === undefined ? name : `${name} ${user}`),
    async settle() {
      await settle();
      // The number of subscribers is registered once a second.
      clock.advance(1_000);
      await settle();
    },
    [Symbol.asyncDispose]() {
      broker.stop(false);
      node.stop();
      return Promise.resolve();
    },
  };
});

describe("A server that stops", () => {
  it("leaves its users in the list until its lease ends: they may return to another one", async () => {
    const clock = new ManualClock();
    const { data, node, broker: make } = await serverOn(clock);
    const broker = make({ appId: "1", clock, emit() {}, maxCacheBytes: () => 1_000 });
    broker.open(channel, listenerOf({}));
    broker.join(channel, member("a"), { isGuest: false, maxMembers: 10 });
    await settle();
    broker.stop(false);
    await settle();
    assert.deepEqual(await broker.members(channel), [member("a")]);
    await node.exit(0);
    await data.drop(node.name!);
    assert.deepEqual((await data.read(`1:${channel}`)).members.size, 0);
  });
});

describe("An app that is removed", () => {
  it("is forgotten once Redis has nothing of it any more, and not before", async () => {
    const clock = new ManualClock();
    const { data, node, link, broker: make } = await serverOn(clock);
    const listeners = new Set<NodeListener>();
    const add = node.add.bind(node);
    node.add = (listener) => {
      listeners.add(listener);
      const remove = add(listener);
      return () => {
        remove();
        listeners.delete(listener);
      };
    };
    for (const isAway of [false, true]) {
      const broker = make({ appId: "1", clock, emit() {}, maxCacheBytes: () => 1_000 });
      broker.open(channel, listenerOf({}));
      broker.join(channel, member("a"), { isGuest: false, maxMembers: 10 });
      broker.subscribers(channel, 1);
      void broker.connections(1);
      await settle();
      assert.equal(data.log.length, 2, "the user joined, and the channel was occupied");
      if (isAway) link.cut();
      broker.stop(true);
      await settle();
      assert.equal(listeners.size, isAway ? 1 : 0);
      link.mend();
      await settle();
      // What could not be taken back is tried again with the next heartbeat.
      clock.advance(1_000);
      await settle();
      assert.deepEqual([listeners.size, data.log.splice(0).length], [0, 4]);
      const [room, connections] = await data.sizes([`1:${channel}`, "1:#connections"]);
      assert.deepEqual([room, connections], [nothing, nothing]);
    }
    node.stop();
    assert.equal(clock.timers, 0);
  });
});

describe("The next broker of an app", () => {
  it("receives the channel's events, though the previous broker was reading the channel", async () => {
    const clock = new ManualClock();
    const { data, node, broker: make } = await serverOn(clock);
    const read = data.read.bind(data);
    const options = { appId: "1", clock, emit() {}, maxCacheBytes: () => 1_000 };
    const former = make(options);
    former.open(channel, listenerOf({}));
    await settle();
    const answered = Promise.withResolvers<void>();
    data.read = async (room) => {
      await answered.promise;
      return await read(room);
    };
    former.snapshot(channel);
    await settle();
    const next = make(options);
    former.stop(true);
    const seen: string[] = [];
    next.open(channel, listenerOf({ onPublished: ({ text }) => void seen.push(text) }));
    await settle();
    answered.resolve();
    await settle();
    await next.publish(channel, frameOf("hello"));
    await settle();
    assert.deepEqual(seen, ["hello"]);
    next.stop(false);
    node.stop();
  });
});

describe("The next broker of an app with a higher limit", () => {
  it("lets a user in whose join to the previous broker is answered with “full”", async () => {
    const clock = new ManualClock();
    const { data, node, broker: make } = await serverOn(clock);
    const options = { appId: "1", clock, emit() {}, maxCacheBytes: () => 1_000 };
    await data.begin("2.1", "{}");
    const other = { userId: "z", member: memberText(member("z")), isGuest: false, max: 0 };
    await data.claim("2.1", { ...other, room: `1:${channel}`, isRepeated: false });
    const claim = data.claim.bind(data);
    const answered = Promise.withResolvers<void>();
    data.claim = async (...call) => {
      const answer = await claim(...call);
      await answered.promise;
      return answer;
    };
    const former = make(options);
    former.join(channel, member("u"), { isGuest: false, maxMembers: 1 });
    await settle();
    const next = make(options);
    former.stop(true);
    const told: string[] = [];
    next.open(
      channel,
      listenerOf({
        onClaimed: (userId) => void told.push(`${userId} held`),
        onFull: (userId) => void told.push(`${userId} refused`),
      }),
    );
    next.join(channel, member("u"), { isGuest: false, maxMembers: 2 });
    answered.resolve();
    await settle();
    assert.deepEqual(told, ["u held"]);
    next.stop(false);
    node.stop();
  });
});

describe("A quiet tab beside a full one of the same user", () => {
  it("is let in when there is room for no other full member", async () => {
    const clock = new ManualClock();
    const { broker, data, node } = await serverOn(clock);
    await data.begin("2.1", "{}");
    const full = { userId: "z", member: memberText(member("z")), isGuest: false, max: 0 };
    await data.claim("2.1", { ...full, room: "1:presence-room", maxFull: 1, isRepeated: false });
    const config = { id: "1", key: "key", secret: "secret", presenceMaxFullMembers: 1 };
    const app = new App(
      config,
      resolveOptions({ apps: [config], clock, broker }),
      strictListeners(),
    );
    const refused: string[] = [];
    app.onFull = ({ id }, _, limit) => refused.push(`${id} ${limit}`);
    const tabs = [true, false].map((quiet, index) => {
      const tab = new FakeConnection(`1.${index}`, "u", app);
      app.opened(asConnection(tab));
      const user = { id: "u", info: "{}", options: { quiet } };
      app.hub.subscribe(asConnection(tab), "presence-room", user);
      return tab;
    });
    await settle();
    assert.deepEqual(refused, ["1.1 fullMembers"]);
    assert.equal(tabs[0].frames[0].event, "pusher_internal:subscription_succeeded");
    app.stop();
    node.stop();
  });
});

describe("The tabs of users who wait until Redis has taken them", () => {
  it("are all let in", async () => {
    const clock = new ManualClock();
    const { broker, node } = await serverOn(clock);
    const config = { id: "1", key: "key", secret: "secret" };
    const options = resolveOptions({ apps: [config], clock, broker });
    const app = new App(config, options, strictListeners());
    const opened: FakeConnection[] = [];
    const open = (userId: string) => {
      const tab = new FakeConnection(`1.${opened.length}`, userId, app);
      opened.push(tab);
      app.opened(asConnection(tab));
      app.hub.subscribe(asConnection(tab), channel, member(userId));
    };
    open("zoe");
    await settle();
    for (const userId of ["ann", "bob", "ann", "ann", "bob", "ann"]) open(userId);
    await settle();
    for (const { frames: [first] } of opened) {
      assert.equal(first?.event, "pusher_internal:subscription_succeeded");
    }
    app.stop();
    node.stop();
  });
});

describe("A member who joins a presence channel that keeps an event", () => {
  /** The frames of the member, when the answer to one call comes after that to the other. */
  async function framesWhenLate(late: "claim" | "read"): Promise<string[]> {
    const clock = new ManualClock();
    const { broker, data, node } = await serverOn(clock);
    const config = { id: "1", key: "key", secret: "secret" };
    const options = resolveOptions({ apps: [config], clock, broker });
    const app = new App(config, options, strictListeners());
    await app.hub.publish("presence-cache-a", frameOf('{"event":"kept","data":"1"}'));
    const answered = Promise.withResolvers<void>();
    const call = data[late].bind(data) as (...of: unknown[]) => Promise<unknown>;
    Object.assign(data, {
      async [late](...of: unknown[]) {
        const answer = await call(...of);
        await answered.promise;
        return answer;
      },
    });
    const tab = new FakeConnection("1.1", "ann", app);
    app.opened(asConnection(tab));
    app.hub.subscribe(asConnection(tab), "presence-cache-a", member("ann"));
    await settle();
    answered.resolve();
    await settle();
    app.stop();
    node.stop();
    return tab.frames.map(({ event }) => event);
  }

  it("is sent it after the list, whether Redis takes the member or tells of the list first", async () => {
    const expected = ["pusher_internal:subscription_succeeded", "kept"];
    assert.deepEqual(await framesWhenLate("claim"), expected);
    assert.deepEqual(await framesWhenLate("read"), expected);
  });
});

describe("An update of a member", () => {
  const room = { isGuest: false, maxMembers: 10 };

  /** The broker of a server with a member. */
  async function brokerWithMember() {
    const clock = new ManualClock();
    const { broker: make, ...server } = await serverOn(clock);
    const broker = make({ appId: "1", clock, emit() {}, maxCacheBytes: () => 1_000 });
    broker.open(channel, listenerOf({}));
    broker.join(channel, member("a"), room);
    await settle();
    const end = () => {
      broker.stop(false);
      server.node.stop();
    };
    return { ...server, clock, broker, end };
  }

  it("is refused as unavailable while the server does not reach the shared data", async () => {
    const { broker, link, end } = await brokerWithMember();
    link.cut();
    await assert.rejects(broker.update(channel, "a", { info: "1" }, false), Unavailable);
    link.mend();
    assert.equal(await broker.update(channel, "a", { info: "1" }, false), true);
    end();
  });

  it("loses nothing of what another server changes at the same time", async () => {
    const { broker, data, end } = await brokerWithMember();
    const members = data.members.bind(data);
    let others = 3;
    data.members = async (name, ids) => {
      const [before] = await members(name, ids);
      if (others-- > 0) {
        const changed = { ...member("a", String(others)), options: { name: `Ann ${others}` } };
        const { room, userId } = { room: name, userId: "a" };
        await data.update({ room, userId, before, member: memberText(changed) });
      }
      return [before];
    };
    assert.equal(await broker.update(channel, "a", { info: '"own"' }, false), true);
    assert.deepEqual(await broker.members(channel, ["a"]), [
      { id: "a", info: '"own"', options: { name: "Ann 0" }, isUpdated: true },
    ]);
    end();
  });

  it("of a user who may not have been registered again is refused as unavailable, and not as unknown", async () => {
    const { broker, data, end } = await brokerWithMember();
    data.changeServer();
    await assert.rejects(broker.update(channel, "b", { info: "1" }, false), Unavailable);
    end();
  });
});

describePresence("NodeBroker", 500, async (clock) => {
  const { broker, data, node } = await serverOn(clock);
  return {
    broker,
    settle: settle,
    takeLogged: () => data.log.splice(0).map(({ name, user: userId }) => ({ name, userId })),
    async end() {
      const name = node.name!;
      await node.exit(0);
      await data.drop(name);
    },
  };
});
