import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import type { OutboxEvents } from "@/realtime/webhooks/webhooks.ts";
import { MemoryStore } from "./memory_store.ts";
import { turn, World, type WorldOptions } from "./world.ts";

/** A server that starts with the store of another one. */
async function successorOf({ store }: World, options: WorldOptions = {}): Promise<World> {
  const world = new World({ store, startsAt: 1_002_000, ...options });
  await world.webhooks.start();
  return world;
}

/** A server whose receiver took one event and is gone when the second comes. */
async function failing(options: WorldOptions = {}): Promise<World> {
  const world = new World(options);
  world.happens("delivered");
  await world.advance(50);
  await world.last.answer(200);
  world.happens(1);
  await world.advance(50);
  await world.last.answer("broken");
  return world;
}

/** A server that stops while a channel has subscribers, and its successor. */
async function restarted(): Promise<World> {
  const stopped = new World();
  stopped.happens("news", "channel_occupied");
  await stopped.advance(50);
  await stopped.last.answer(200);
  stopped.webhooks.hold();
  stopped.happens("news", "channel_vacated");
  await stopped.advance(10_000);
  await stopped.webhooks.stop();
  assert.equal(stopped.sent.length, 1);
  return await successorOf(stopped, { startsAt: 1_012_000 });
}

/** A store that fails until it is repaired. */
class BrokenStore extends MemoryStore {
  isBroken = true;

  override write(
    added: readonly OutboxEvents[],
    removedIds: readonly string[],
  ): Promise<boolean> {
    if (!this.isBroken) return super.write(added, removedIds);
    return Promise.reject(new Error("the disk is full"));
  }
}

describe("The outbox", () => {
  it("keeps an event that is not delivered within a second when the process is killed", async () => {
    const killed = await failing();
    killed.happens(2);
    await killed.advance(950);
    killed.happens("lost");
    const world = await successorOf(killed);
    world.happens(3);
    await world.advance(0);
    assert.deepEqual(World.channels(world.last), ["1"]);
    assert.equal(world.last.body, killed.last.body);
    await world.deliverAll(50);
    assert.deepEqual(world.sent.flatMap(World.channels), ["1", "2", "3"]);
    await world.advance(500);
    assert.deepEqual([world.store.records, world.clock.timers], [[], 0]);
  });

  it("writes an event that comes during a write with the next one", async () => {
    const killed = await failing();
    for (const number of [2, 3, 4]) {
      killed.happens(number);
      await killed.last.answer("broken");
      await killed.advance(1_000);
    }
    const world = await successorOf(killed);
    await world.advance(0);
    await world.deliverAll(0);
    assert.deepEqual(world.sent.flatMap(World.channels), ["1", "2", "3", "4"]);
  });

  it("loses no event at a stop, neither of a running request nor of an open batch", async () => {
    const stopped = await failing();
    await stopped.advance(1_000);
    assert.equal(stopped.sent.length, 3);
    stopped.happens(2);
    await stopped.webhooks.stop();
    assert.equal(stopped.clock.timers, 0);
    const world = await successorOf(stopped);
    await world.advance(0);
    await world.last.answer(200);
    await world.advance(0);
    await world.last.answer(200);
    assert.deepEqual(world.sent.flatMap(World.channels), ["1", "2"]);
  });

  it("has no address, which may contain a secret", async () => {
    const world = await failing();
    await world.webhooks.stop();
    assert.equal(world.store.records.length, 1);
    assert.doesNotMatch(JSON.stringify(world.store.records), /example|secret/);
  });

  it("does not write events that are delivered in time", async () => {
    const world = new World();
    for (let number = 0; number < 100; number++) {
      world.happens(number);
      await world.advance(50);
      await world.advance(number);
      await world.last.answer(200);
    }
    await world.webhooks.stop();
    assert.equal(world.store.writes, 0);
  });

  it("does not write again while nothing new waits for a dead receiver", async () => {
    const world = await failing();
    for (let second = 0; second < 20; second++) {
      await world.advance(1_000);
      await world.last.answer("broken");
    }
    assert.deepEqual([world.store.writes, world.store.records.length], [1, 1]);
  });

  it("drops, counts and removes events older than five minutes at the start", async () => {
    const stopped = await failing();
    await stopped.webhooks.stop();
    const world = await successorOf(stopped, { startsAt: 1_300_050 });
    assert.equal(world.webhooks.stats().dropped.expired, 1);
    await world.advance(500);
    assert.deepEqual([world.sent, world.store.records, world.clock.timers], [[], [], 0]);
  });

  it("counts the time before a restart towards the five minutes", async () => {
    const stopped = await failing();
    await stopped.webhooks.stop();
    const world = await successorOf(stopped, { startsAt: 1_299_050 });
    await world.advance(0);
    await world.last.answer(500);
    await world.advance(1_000);
    await world.last.answer(500);
    await world.advance(0);
    assert.equal(world.webhooks.stats().dropped.expired, 1);
  });

  it("drops, counts and removes events of a webhook that was removed meanwhile", async () => {
    const stopped = await failing();
    await stopped.webhooks.stop();
    const world = await successorOf(stopped, { rules: { webhooks: [] } });
    await world.advance(0);
    assert.equal(world.webhooks.stats().dropped.notConfigured, 1);
    await world.advance(500);
    assert.deepEqual(world.store.records, []);
  });

  it("drops, counts and removes events that find no room", async () => {
    const stopped = new World();
    for (const number of [1, 2]) stopped.happens(number);
    await stopped.webhooks.stop();
    const world = await successorOf(stopped, { limits: { maxQueuedEvents: 1 } });
    assert.equal(world.webhooks.stats().dropped.queueFull, 2);
    await world.advance(500);
    assert.deepEqual([world.store.records, world.webhooks.stats().receivers], [[], 0]);
  });

  it("does not report clients that return to the successor within twenty seconds", async () => {
    const world = await restarted();
    await world.advance(19_999);
    world.happens("news", "channel_occupied");
    await world.advance(30_000);
    assert.deepEqual([world.sent, world.store.records, world.clock.timers], [[], [], 0]);
  });

  it("reports the departure of clients that do not return to the successor", async () => {
    const world = await restarted();
    await world.advance(20_000);
    await world.advance(50);
    assert.deepEqual(JSON.parse(world.last.body).events, [{
      name: "channel_vacated",
      channel: "news",
    }]);
    await world.last.answer(200);
    await world.advance(500);
    assert.deepEqual(world.store.records, []);
  });

  it("keeps departures over a second restart within the twenty seconds", async () => {
    const killed = await restarted();
    await killed.advance(2_000);
    const stopped = await successorOf(killed, { startsAt: 1_015_000 });
    await stopped.webhooks.stop();
    assert.equal(stopped.store.records.length, 1);
    const world = await successorOf(stopped, { startsAt: 1_016_000 });
    await world.advance(20_000);
    await world.advance(50);
    assert.deepEqual(World.channels(world.last), ["news"]);
  });

  it("writes a large number of batches in parts, one right after the other", async () => {
    const world = new World();
    for (let number = 0; number < 12_001; number++) world.happens(number);
    await world.advance(500);
    await world.advance(0);
    await world.advance(0);
    assert.deepEqual([world.store.writes, world.store.records.length], [3, 121]);
    const saved = world.store.records.reduce((sum, { count }) => sum + count, 0);
    assert.equal(saved, world.webhooks.stats().queuedEvents);
  });

  it("repeats a failed write, and loses no more than a SIGKILL would", async () => {
    const store = new BrokenStore();
    const world = new World({ store });
    world.happens(1);
    await world.advance(50);
    await world.last.answer("broken");
    for (let time = 0; time < 4; time++) await world.advance(500);
    assert.equal(world.webhooks.stats().failedSaves, 4);
    assert.deepEqual(world.logged.map(({ message }) => message), [
      "Webhook not delivered",
      "Undelivered webhooks not saved",
    ]);
    store.isBroken = false;
    await world.advance(500);
    assert.equal(store.records.length, 1);
    store.isBroken = true;
    await world.last.answer(200);
    await world.advance(500);
    assert.deepEqual([world.webhooks.stats().failedSaves, store.records.length], [5, 1]);
    store.isBroken = false;
    await world.advance(500);
    assert.deepEqual(store.records, []);
  });

  it("removes with the next write what is delivered while it is written", async () => {
    const store = new MemoryStore();
    const { promise, resolve } = Promise.withResolvers<void>();
    const write = store.write.bind(store);
    store.write = async (added, removedIds) => {
      await promise;
      return await write(added, removedIds);
    };
    const world = new World({ store });
    world.happens(1);
    await world.advance(500);
    await world.last.answer(200);
    resolve();
    await turn();
    assert.equal(store.records.length, 1);
    await world.advance(500);
    assert.deepEqual([store.records, world.clock.timers], [[], 0]);
  });

  it("keeps the events of two webhooks of an app apart", async () => {
    const webhooks = [{ url: "http://one/" }, { url: "http://other/" }];
    const stopped = new World({ rules: { webhooks } });
    stopped.happens(1);
    await stopped.advance(50);
    await stopped.sent[0].answer(200);
    await stopped.webhooks.stop();
    const world = await successorOf(stopped, { rules: { webhooks } });
    await world.advance(0);
    assert.deepEqual(world.sent.map(({ url }) => url), ["http://other/"]);
  });
});
