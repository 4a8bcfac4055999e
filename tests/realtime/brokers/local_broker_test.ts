import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { LocalBroker } from "@/realtime/brokers/local_broker.ts";
import { channel, listenerOf, member } from "../doubles.ts";
import { ManualClock } from "../manual_clock.ts";
import { describeBroker, type TestedBroker } from "./broker_rules.ts";
import { describePresence } from "./presence_rules.ts";

function brokerOf(): TestedBroker & { broker: LocalBroker } {
  const events: string[] = [];
  const broker = new LocalBroker({
    clock: new ManualClock(),
    emit: (event) =>
      void events.push("userId" in event ? `${event.name} ${event.userId}` : event.name),
    maxCacheBytes: () => 1_000,
  });
  return {
    broker,
    takeServerEvents: () => events.splice(0),
    settle: () => Promise.resolve(),
    [Symbol.asyncDispose]() {
      broker.stop();
      return Promise.resolve();
    },
  };
}

describeBroker("LocalBroker", () => Promise.resolve(brokerOf()));

describePresence(
  "LocalBroker",
  2_000,
  () => Promise.resolve({ settle: () => Promise.resolve(), end: () => Promise.resolve() }),
);

describe("LocalBroker", () => {
  it("reports the departures of a stop", () => {
    const { broker, takeServerEvents } = brokerOf();
    broker.open(channel, listenerOf({}));
    broker.join(channel, member("a"));
    takeServerEvents();
    broker.stop();
    assert.deepEqual(takeServerEvents(), ["member_removed a", "channel_vacated"]);
  });
});
