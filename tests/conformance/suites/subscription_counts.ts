import assert from "node:assert/strict";
import { sources, Suite } from "../suite.ts";
import { next } from "../pusher_client.ts";
import { AppHarness } from "../harness.ts";

export const subscriptionCounts = new Suite("subscription-count", "Subscription counts");

const event = "pusher_internal:subscription_count";

subscriptionCounts.rule(
  "subscription-count.told",
  "Subscribers are sent their number whenever it changes; pusher-js has it as " +
    "`channel.subscriptionCount`.",
  sources.events,
  async (harness) => {
    await harness.set({ subscriptionCount: true });
    const [one, other] = [await harness.connected(), await harness.connected()];
    const channel = one.subscribe("news");
    await next(channel, "pusher:subscription_count");
    const changed = next(channel, "pusher:subscription_count");
    await other.joined("news");
    assert.deepEqual(await changed, { subscription_count: 2 });
    assert.equal(channel.subscriptionCount, 2);
    const frame = one.received(event).at(-1);
    assert.deepEqual(frame, { event, channel: "news", data: '{"subscription_count":2}' });
    const less = next(channel, "pusher:subscription_count");
    other.disconnect();
    assert.deepEqual(await less, { subscription_count: 1 });
  },
);

subscriptionCounts.rule(
  "subscription-count.kinds",
  "Every kind of channel has it except presence channels, which have members.",
  sources.events,
  async (harness) => {
    await harness.set({ subscriptionCount: true });
    const library = harness.library({ encryptionMasterKeyBase64: btoa("k".repeat(32)) });
    const client = await harness.connected({ library });
    const told = ["news", "private-a", "private-encrypted-a", "cache-a", "private-cache-a"];
    for (const name of ["presence-a", "presence-cache-a", ...told]) await client.joined(name);
    await client.settled();
    assert.deepEqual(client.received(event).map(({ channel }) => channel), told);
  },
);

subscriptionCounts.rule(
  "subscription-count.opt-in",
  "An app may enable it; by default it is not sent.",
  sources.events,
  async (harness) => {
    const client = await harness.connected();
    await client.joined("news");
    await (await harness.connected()).joined("news");
    await client.settled();
    assert.deepEqual(client.received(event), []);
  },
);

subscriptionCounts.rule(
  "subscription-count.large",
  "More than 100 subscribers are sent it at most once in 5 seconds.",
  sources.events,
  async () => {
    await using harness = await AppHarness.alone({ clockIsStopped: true }, {
      subscriptionCount: true,
    });
    const client = await harness.connected();
    await client.joined("news");
    const counts = () => client.received(event).map(({ data }) => JSON.parse(data));
    const join = async () => {
      const bare = await harness.bare();
      bare.subscribe("news");
      await bare.settled();
    };
    for (let number = 2; number <= 105; number++) await join();
    await client.settled();
    assert.deepEqual(counts().slice(-2).map((count) => count.subscription_count), [100, 101]);
    await harness.server.advance(4_999);
    await client.settled();
    assert.equal(counts().length, 101);
    await harness.server.advance(1);
    await client.settled();
    assert.deepEqual(counts().slice(101), [{ subscription_count: 105 }]);
  },
);
