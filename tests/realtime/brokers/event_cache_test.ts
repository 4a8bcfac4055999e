import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { cacheMs, EventCache } from "@/realtime/brokers/event_cache.ts";
import { frameOf } from "@/realtime/protocol/outgoing.ts";
import { isCacheChannel } from "@/realtime/protocol/channel_names.ts";
import { signChannel } from "@/realtime/protocol/signature.ts";
import { Pusher } from "../../fixtures/pusher_js.ts";
import { ManualClock } from "../manual_clock.ts";
import { optionsFor } from "../pusher_clients.ts";
import { app, Harness, type Received, until } from "../harness.ts";

/** The frames that a new subscriber gets, from subscription_succeeded on. */
async function welcome(harness: Harness, channel: string): Promise<Received[]> {
  const client = await harness.connect();
  const data = channel.startsWith("presence-") ? '{"user_id":"u"}' : undefined;
  client.subscribe(channel, signChannel(app, client.socketId, channel, data), data);
  const frames = await client.settled();
  client.close();
  await until(() => harness.realtime.stats().connections === 0);
  return frames;
}

describe("A cache channel", () => {
  for (const prefix of ["", "private-", "presence-", "private-encrypted-"]) {
    const channel = `${prefix}cache-news`;
    it(`${channel} sends a new subscriber its last event right after success, or a cache miss`, async () => {
      await using harness = new Harness();
      const [success, miss] = await welcome(harness, channel);
      assert.equal(success.event, "pusher_internal:subscription_succeeded");
      assert.deepEqual(miss, { event: "pusher:cache_miss", channel });
      harness.app.publish(channel, "update", { n: 1 });
      harness.app.publish(channel, "update", { n: 2 });
      const [, last, ...more] = await welcome(harness, channel);
      assert.deepEqual(last, { event: "update", channel, data: { n: 2 } });
      assert.deepEqual(more, []);
    });
  }

  it("sends nothing of a presence channel that is left before its list was sent", async () => {
    await using harness = new Harness();
    const channel = "presence-cache-news";
    const client = await harness.connect();
    const data = '{"user_id":"u"}';
    for (let time = 0; time < 20; time++) {
      client.subscribe(channel, signChannel(app, client.socketId, channel, data), data);
      client.send("pusher:unsubscribe", { channel });
    }
    const events = (await client.settled()).map(({ event }) => event);
    const lists = events.filter((event) => event.endsWith("subscription_succeeded"));
    assert.deepEqual(events, lists.flatMap((list) => [list, "pusher:cache_miss"]));
  });

  it("is one by its exact prefix only: similar names keep nothing", async () => {
    for (const name of ["news", "private-news", "news-cache-", "private-x-cache-", "presence-a"]) {
      assert.equal(isCacheChannel(name), false, name);
    }
    await using harness = new Harness();
    harness.app.publish("news", "update", {});
    assert.equal((await welcome(harness, "news")).length, 1);
    assert.equal(harness.realtime.stats().cachedEvents, 0);
  });

  it("does not keep client events", async () => {
    await using harness = new Harness({ rules: { clientEvents: true } });
    const channel = "private-cache-a";
    const client = await harness.connect();
    client.subscribe(channel, signChannel(app, client.socketId, channel));
    client.sendRaw(JSON.stringify({ event: "client-typing", channel, data: {} }));
    assert.deepEqual((await client.settled()).map(({ event }) => event.split(":")[1]), [
      "subscription_succeeded",
      "cache_miss",
    ]);
    assert.equal(harness.realtime.stats().cachedEvents, 0);
  });

  it("keeps an event for 30 minutes after its publication", () => {
    const clock = new ManualClock();
    const cache = new EventCache(clock);
    cache.put("cache-a", frameOf("old"), 100);
    clock.advance(cacheMs / 2);
    cache.put("cache-a", frameOf("new"), 100);
    clock.advance(cacheMs - 1);
    assert.equal(cache.get("cache-a")?.text, "new");
    clock.advance(1);
    assert.equal(cache.get("cache-a"), undefined);
    assert.deepEqual([cache.size, cache.bytes, clock.timers], [0, 0, 0]);
  });

  it("drops the events that were published longest ago when the cache is full", () => {
    const clock = new ManualClock();
    const cache = new EventCache(clock);
    for (const name of ["a", "b", "c"]) cache.put(name, frameOf("xxxx"), 12);
    cache.put("a", frameOf("yyyy"), 12);
    cache.put("d", frameOf("z"), 12);
    assert.deepEqual(["a", "b", "c", "d"].map((name) => cache.get(name)?.text), [
      "yyyy",
      undefined,
      "xxxx",
      "z",
    ]);
    assert.equal(cache.bytes, 9);
    cache.put("e", frameOf("x".repeat(13)), 12);
    assert.deepEqual([cache.size, cache.bytes, clock.timers], [0, 0, 0]);
  });

  it("sends pusher-js a cache miss, then the cached event", async () => {
    await using harness = new Harness();
    const pusher = new Pusher(app.key, optionsFor(harness, "ann"));
    const seen: unknown[] = [];
    const missed = pusher.subscribe("private-cache-a");
    missed.bind("pusher:cache_miss", () => seen.push("miss"));
    await until(() => seen.length === 1);
    harness.app.publish("cache-b", "update", { n: 1 });
    pusher.subscribe("cache-b").bind("update", (data: unknown) => seen.push(data));
    await until(() => seen.length === 2);
    assert.deepEqual(seen, ["miss", { n: 1 }]);
    pusher.disconnect();
    await until(() => harness.realtime.stats().connections === 0);
  });

  it("relays encrypted events unchanged", async () => {
    await using harness = new Harness();
    const client = await harness.connect();
    const channel = "private-encrypted-a";
    client.subscribe(channel, signChannel(app, client.socketId, channel));
    await client.next("pusher_internal:subscription_succeeded");
    const sealed = {
      nonce: "4sVYwy4j/8dCcjyxtPCWyk19GaaViaW9",
      ciphertext: "/GMESnFGlbNn01BuBjp3",
    };
    harness.app.publish(channel, "secret", JSON.stringify(sealed));
    assert.deepEqual(await client.settled(), [{ event: "secret", channel, data: sealed }]);
  });
});
