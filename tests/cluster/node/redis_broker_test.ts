import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { IgnoredMessages } from "../../../cluster/messages/ignored_messages.ts";
import type { BrokerOptions } from "../../../realtime/brokers/broker.ts";
import { Node } from "../../../cluster/node/node.ts";
import { RedisBroker } from "../../../cluster/node/redis_broker.ts";
import { channel, listenerOf, member } from "../../realtime/broker_events.ts";
import { describeBroker } from "../../realtime/brokers/broker_rules.ts";
import { describePresence } from "../../realtime/brokers/presence_rules.ts";
import { ManualClock } from "../../realtime/manual_clock.ts";
import { MemoryState } from "../state/memory_state.ts";
import { MemoryLink } from "./memory_link.ts";
import { turn } from "./turn.ts";

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
    ...{ state, redis: link, clock, number: 1, leaseMs: 10_000, beatMs: 1_000, log },
    totals: () => "{}",
    wasPlanned: () => false,
  });
  await node.start();
  const options = { node, state, redis: link, topicOf: (room: string) => room, ignored };
  const broker = (app: BrokerOptions) => new RedisBroker(app, options);
  return { data, node, broker };
}

describeBroker("RedisBroker", async () => {
  const clock = new ManualClock();
  const { data, node, broker: make } = await serverOn(clock);
  const broker = make({ appId: "1", clock, emit() {}, maxCacheBytes: () => 1_000 });
  return {
    broker,
    takeServerEvents: () =>
      data.log.splice(0).map(({ name, user }) => user === undefined ? name : `${name} ${user}`),
    async settle() {
      await turn();
      // The number of subscribers is stated once a second.
      clock.advance(1_000);
      await turn();
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
    await turn();
    broker.stop(false);
    await turn();
    assert.deepEqual(await broker.members(channel), [member("a")]);
    await node.exit(0);
    await data.drop(node.name!);
    assert.deepEqual((await data.read(`1:${channel}`)).members.size, 0);
  });
});

describePresence("RedisBroker", 500, async (clock) => {
  const { broker, data, node } = await serverOn(clock);
  return {
    broker,
    settle: turn,
    takeLogged: () => data.log.splice(0).map(({ name, user: userId }) => ({ name, userId })),
    async end() {
      const name = node.name!;
      await node.exit(0);
      await data.drop(name);
    },
  };
});
