import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import type { Activity } from "@/shared/online.ts";
import { ManualClock } from "../../manual_clock.ts";
import { BusServer } from "./bus_server.ts";
import { MemoryTopics } from "./memory_redis.ts";

/** A tick of the event loop, in which messages are sent. */
const settle = () => new Promise<void>((resolve) => setTimeout(resolve));

const joined = (at: number): Activity => (
  { at, id: `user-${at}`, kind: "user", name: "Ada", change: "joined" }
);
const left = (at: number): Activity => (
  { at, id: "guest-1", kind: "foreign", name: "Ben", change: "left", reason: "server_lost" }
);

describe("what the leader adds to the activity log", () => {
  it("reaches the other servers in messages of many, with the number of entries that they lack", async () => {
    const [topics, clock, all] = [new MemoryTopics(), new ManualClock(), [] as BusServer[]];
    const [one, other] = [1, 2].map((number) =>
      new BusServer(topics.connect(), { number, clock, all })
    );
    for (const { bus } of all) await bus.start();
    const received: unknown[] = [];
    for (const { name, servers } of all) {
      servers.activity.onStored((stored, channel) => void received.push([name, channel, stored]));
    }
    const pass = async (milliseconds: number) => {
      clock.advance(milliseconds);
      await settle();
    };
    one.servers.activity.stored(joined(1), "online");
    one.servers.activity.stored(left(2), "online");
    one.servers.activity.stored(joined(3), "shop");
    await pass(249);
    assert.deepEqual(received, []);
    await pass(1);
    const earlier = { joined: 0, left: 0 };
    assert.deepEqual(received.splice(0), [
      ["2.1", "online", { entries: [joined(1), left(2)], earlier }],
      ["2.1", "shop", { entries: [joined(3)], earlier }],
    ]);
    for (let at = 0; at < 60; at++) {
      one.servers.activity.stored((at < 7 ? left : joined)(at), "online");
    }
    await pass(250);
    const entries = Array.from({ length: 50 }, (_, index) => joined(10 + index));
    assert.deepEqual(received.splice(0), [
      ["2.1", "online", { entries, earlier: { joined: 3, left: 7 } }],
    ]);
    one.servers.activity.stored(joined(1), "online");
    await one.stop();
    await other.stop();
    await pass(1_000);
    assert.deepEqual([received, clock.timers], [[], 0]);
  });
});
