import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { LocalBroker } from "../../../realtime/brokers/local_broker.ts";
import { signedInChannel } from "../../../realtime/protocol/channel_names.ts";
import { frameOf } from "../../../realtime/protocol/frame.ts";
import { channel, listenerOf, member } from "../broker_events.ts";
import { ManualClock } from "../manual_clock.ts";

function brokerOf() {
  const events: string[] = [];
  const serverEvents: string[] = [];
  const broker = new LocalBroker({
    clock: new ManualClock(),
    emit: (event) =>
      void serverEvents.push("userId" in event ? `${event.name} ${event.userId}` : event.name),
    maxCacheBytes: () => 1_000,
  });
  const listener = listenerOf({
    onOpened: () => void events.push("opened"),
    onMembership: ({ type, previous, version }) =>
      void events.push(`${type} ${previous} ${version}`),
    onSnapshot: ({ version, members }) => void events.push(`snapshot ${version} ${members.length}`),
    onHeld: (userId) => void events.push(`held ${userId}`),
  });
  return { broker, events, serverEvents, listener };
}

describe("LocalBroker", () => {
  it("reports only a user's first join and last leave, in versions without a gap", async () => {
    const { broker, events, serverEvents, listener } = brokerOf();
    broker.open(channel, listener);
    broker.join(channel, member("a"));
    broker.join(channel, member("a"));
    assert.deepEqual(await broker.channels(), [channel]);
    assert.deepEqual(await broker.members(channel), ["a"]);
    broker.leave(channel, "a", "closed");
    broker.leave(channel, "a", "closed");
    broker.snapshot(channel);
    broker.close(channel);
    broker.join(channel, member("a"));
    broker.close(channel);
    assert.deepEqual(events, [
      ...["snapshot 0 0", "opened", "held a", "added 0 1", "held a", "removed 1 2"],
      "snapshot 2 0",
    ]);
    assert.deepEqual(serverEvents, [
      "channel_occupied",
      "member_added a",
      "member_removed a",
      "channel_vacated",
    ]);
    const { brokerChannels, brokerMembers } = broker.stats();
    assert.deepEqual([brokerChannels, brokerMembers], [0, 0]);
  });

  it("reports nothing of the channel of signed-in users, and lists it nowhere", async () => {
    const { broker, serverEvents, listener } = brokerOf();
    broker.open(signedInChannel, listener);
    broker.join(signedInChannel, member("a"));
    assert.deepEqual(await broker.channels(), []);
    broker.leave(signedInChannel, "a", "closed");
    broker.close(signedInChannel);
    assert.deepEqual(serverEvents, []);
  });

  it("keeps the event of a channel that is not open, for the next subscriber and the API", async () => {
    const { broker } = brokerOf();
    broker.publish("cache-news", frameOf('{"event":"e","data":"1"}'), { isKept: true });
    assert.equal(broker.kept("cache-news")?.text, '{"event":"e","data":"1"}');
    assert.deepEqual(await broker.cached("cache-news"), { data: "1", ttl: 1_800 });
    assert.deepEqual(await broker.sizes(["cache-news"]), [{ members: 0, subscribers: 0 }]);
    broker.publish("news", frameOf('{"event":"e","data":"2"}'));
    assert.equal(broker.kept("news"), undefined);
    broker.stop();
    assert.equal(broker.stats().cachedEvents, 0);
  });

  it("reports a channel as vacated only when its last member has left", () => {
    const { broker, serverEvents, listener } = brokerOf();
    broker.open(channel, listener);
    for (const id of ["a", "b"]) broker.join(channel, member(id));
    serverEvents.length = 0;
    for (const id of ["a", "b"]) broker.leave(channel, id, "closed");
    assert.deepEqual(serverEvents, ["member_removed a", "member_removed b", "channel_vacated"]);
  });

  it("reports the departures of a stop", () => {
    const { broker, serverEvents, listener } = brokerOf();
    broker.open(channel, listener);
    broker.join(channel, member("a"));
    serverEvents.length = 0;
    broker.stop();
    assert.deepEqual(serverEvents, ["member_removed a", "channel_vacated"]);
  });
});
