import { IgnoredMessages } from "../../../cluster/messages/ignored_messages.ts";
import { Node } from "../../../cluster/node/node.ts";
import { RedisBroker } from "../../../cluster/node/redis_broker.ts";
import { describeBroker, type TestedBroker } from "../../realtime/brokers/broker_rules.ts";
import { ManualClock } from "../../realtime/manual_clock.ts";
import { MemoryState } from "../state/memory_state.ts";
import { MemoryLink } from "./memory_link.ts";
import { turn } from "./turn.ts";

async function start(): Promise<TestedBroker> {
  const [clock, link] = [new ManualClock(), new MemoryLink()];
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
  const app = { appId: "1", clock, emit() {}, maxCacheBytes: () => 1_000 };
  const options = { node, state, redis: link, topicOf: (room: string) => room, ignored };
  const broker = new RedisBroker(app, options);
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
      broker.stop();
      node.stop();
      return Promise.resolve();
    },
  };
}

describeBroker("RedisBroker", start);
