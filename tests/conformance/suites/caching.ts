import assert from "node:assert/strict";
import { sources, Suite } from "../suite.ts";
import { heardOn, next } from "../pusher_client.ts";
import { AppHarness } from "../harness.ts";

export const caching = new Suite("cache", "Cache channels");

const prefixes = ["cache", "private-cache", "presence-cache", "private-encrypted-cache"];
const encryptionMasterKeyBase64 = btoa("k".repeat(32));

for (const prefix of prefixes) {
  caching.rule(
    `cache.${prefix}`,
    `\`${prefix}-\`: a new subscriber gets the last event right after \`subscription_succeeded\`.`,
    sources.cacheChannels,
    async (harness) => {
      const library = harness.library({ encryptionMasterKeyBase64 });
      for (const n of [1, 2]) await library.trigger(`${prefix}-a`, "update", { n });
      const client = await harness.connected({ library });
      const update = next(client.subscribe(`${prefix}-a`), "update");
      assert.deepEqual(await update, { n: 2 });
      const [, success, event] = client.socket.received;
      assert.equal(success.event, "pusher_internal:subscription_succeeded");
      assert.deepEqual([event.event, event.channel], ["update", `${prefix}-a`]);
      await client.settled();
      assert.equal(client.received("update").length, 1);
    },
  );
}

caching.rule(
  "cache.miss",
  "If there is none, it gets `pusher:cache_miss` with the channel.",
  sources.cacheChannels,
  async (harness) => {
    const library = harness.library({ encryptionMasterKeyBase64 });
    const client = await harness.connected({ library });
    for (const prefix of prefixes) {
      await next(client.subscribe(`${prefix}-a`), "pusher:cache_miss");
    }
    assert.deepEqual(
      client.received("pusher:cache_miss"),
      prefixes.map((prefix) => ({ event: "pusher:cache_miss", channel: `${prefix}-a` })),
    );
  },
);

caching.rule(
  "cache.no-subscriber",
  "An event is kept whether the channel has subscribers or not.",
  sources.cacheChannels,
  async (harness) => {
    await harness.library().trigger("cache-a", "update", { n: 1 });
    for (let visit = 0; visit < 2; visit++) {
      const client = await harness.connected();
      await next(client.subscribe("cache-a"), "update");
      client.unsubscribe("cache-a");
      await client.settled();
    }
  },
);

caching.rule(
  "cache.time",
  "It is kept for 30 minutes after its publication.",
  sources.cacheChannels,
  async () => {
    await using harness = await AppHarness.alone({ clockIsStopped: true });
    await harness.library().trigger("cache-a", "update", {});
    await harness.server.advance(30 * 60_000 - 1);
    await next((await harness.connected()).subscribe("cache-a"), "update");
    await harness.server.advance(1);
    await next((await harness.connected()).subscribe("cache-a"), "pusher:cache_miss");
  },
);

caching.rule(
  "cache.no-client-events",
  "Client events are not kept.",
  sources.cacheChannels,
  async (harness) => {
    await harness.set({ clientEvents: true });
    const [ann, bob] = [await harness.connected(), await harness.connected({ userId: "bob" })];
    const [channel, other] = [
      await ann.joined("private-cache-a"),
      await bob.joined("private-cache-a"),
    ];
    const events = heardOn(other);
    channel.trigger("client-typing", {});
    await ann.settled();
    await bob.settled();
    assert.equal(events.length, 1);
    await next((await harness.connected()).subscribe("private-cache-a"), "pusher:cache_miss");
  },
);

caching.rule(
  "cache.others",
  "Other channels keep nothing and send no cache miss.",
  sources.cacheChannels,
  async (harness) => {
    const client = await harness.connected();
    const names = ["news", "news-cache-a", "private-a", "presence-a"];
    for (const name of names) await harness.library().trigger(name, "update", {});
    for (const name of names) await client.joined(name);
    await client.settled();
    assert.deepEqual([...client.received("update"), ...client.received("pusher:cache_miss")], []);
  },
);
