import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { LocalBroker } from "../../../realtime/brokers/local_broker.ts";
import { channel, member } from "../broker_events.ts";

describe("LocalBroker", () => {
  it("reports only a user's first join and last leave, in versions without a gap", () => {
    const events: string[] = [];
    const serverEvents: string[] = [];
    const broker = new LocalBroker();
    const listener = {
      onMembership: ({ type, version }: { type: string; version: number }) =>
        void events.push(`${type} ${version}`),
      onSnapshot: ({ version, members }: { version: number; members: readonly unknown[] }) =>
        void events.push(`snapshot ${version} ${members.length}`),
      onPublished() {},
      onServerEvent: (event: { name: string }) =>
        void serverEvents.push("userId" in event ? `${event.name} ${event.userId}` : event.name),
    };
    broker.open(channel, listener);
    broker.join(channel, member("a"), 1);
    broker.join(channel, member("a"), 2);
    broker.leave(channel, "a", "closed");
    broker.leave(channel, "a", "closed");
    broker.snapshot(channel);
    broker.close(channel);
    broker.join(channel, member("a"), 1);
    broker.close(channel);
    assert.deepEqual(events, ["snapshot 0 0", "added 1", "removed 2", "snapshot 2 0"]);
    assert.deepEqual(serverEvents, [
      "channel_occupied",
      "member_added a",
      "member_removed a",
      "channel_vacated",
    ]);
    assert.deepEqual(broker.stats(), { brokerChannels: 0, brokerMembers: 0 });
  });
});
