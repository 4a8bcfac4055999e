import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { SubscriptionCounts } from "@/realtime/channels/counts.ts";
import { Pusher } from "../../fixtures/pusher_js.ts";
import { ManualClock } from "../manual_clock.ts";
import { optionsFor } from "../pusher_options.ts";
import { app, Harness, until } from "../harness.ts";

const rules = { subscriptionCount: true };

describe("subscription_count", () => {
  it("is sent to subscribers at every change", async () => {
    await using harness = new Harness({ rules });
    const [one, other] = [await harness.connect(), await harness.connect()];
    const count = (subscription_count: number) => ({
      event: "pusher_internal:subscription_count",
      channel: "news",
      data: { subscription_count },
    });
    one.subscribe("news");
    assert.deepEqual((await one.settled())[1], count(1));
    other.subscribe("news");
    assert.deepEqual((await other.settled())[1], count(2));
    assert.deepEqual(await one.settled(), [count(2)]);
    other.send("pusher:unsubscribe", { channel: "news" });
    assert.deepEqual(await other.settled(), []);
    assert.deepEqual(await one.settled(), [count(1)]);
  });

  it("is not sent on presence channels, nor by apps that do not enable it", async () => {
    await using harness = new Harness({ rules });
    assert.deepEqual(await (await harness.member("ann")).settled(), []);
    harness.realtime.replaceApps([{ ...app, subscriptionCount: false }]);
    const client = await harness.connect();
    client.subscribe("news");
    assert.equal((await client.settled()).length, 1);
  });

  it("is sent once in five seconds above 100 subscribers", () => {
    const clock = new ManualClock();
    const sent: number[] = [];
    const reported: unknown[] = [];
    const counts = new SubscriptionCounts({
      isEnabled: () => true,
      emit: (event) => void reported.push(event),
      clock,
    });
    const channel = {
      name: "news",
      subscribers: { size: 99 },
      subscribersEverywhere: 99,
      reportsSubscribers: true,
      send: ({ text }: { text: string }) => {
        sent.push(JSON.parse(JSON.parse(text).data).subscription_count);
      },
    };
    const become = (size: number) => {
      channel.subscribers.size = channel.subscribersEverywhere = size;
      counts.changed(channel);
    };
    for (const size of [100, 101, 102, 103]) become(size);
    assert.deepEqual(sent, [100, 101]);
    clock.advance(4_999);
    assert.deepEqual(sent, [100, 101]);
    clock.advance(1);
    assert.deepEqual(sent, [100, 101, 103]);
    clock.advance(5_000);
    assert.deepEqual([sent.length, counts.size, clock.timers], [3, 0, 0]);
    become(104);
    become(100);
    assert.deepEqual(sent.slice(3), [104, 100]);
    become(0);
    assert.equal(sent.length, 5, "no subscriber is left to receive it");
    assert.deepEqual([counts.size, clock.timers], [0, 0]);
    const event = { name: "subscription_count", channel: "news" };
    assert.deepEqual(reported, sent.map((count) => ({ ...event, count })));
    channel.reportsSubscribers = false;
    become(1);
    assert.deepEqual([sent.length, reported.length], [6, 5], "another server reports it");
  });

  it("is known to pusher-js", async () => {
    await using harness = new Harness({ rules });
    const pusher = new Pusher(app.key, optionsFor(harness, "ann"));
    const channel = pusher.subscribe("private-a");
    const seen: unknown[] = [];
    channel.bind("pusher:subscription_count", (data: unknown) => seen.push(data));
    await until(() => seen.length === 1);
    assert.deepEqual(seen, [{ subscription_count: 1 }]);
    assert.equal(channel.subscriptionCount, 1);
    pusher.disconnect();
    await until(() => harness.realtime.stats().connections === 0);
  });
});
