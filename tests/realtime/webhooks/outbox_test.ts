import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import type { OutboxEvents } from "@/realtime/webhooks/webhooks.ts";
import { departuresOf, outboxId, recordsOf } from "@/realtime/webhooks/outbox.ts";
import type { ChannelServerEvent } from "@/realtime/events/server_events.ts";
import type { PendingDeparture } from "@/realtime/webhooks/pending_departures.ts";
import {
  MemoryStore,
  turn,
  WebhookSimulation,
  type WebhookSimulationOptions,
} from "./simulation.ts";

/** A server that starts with the store of another one. */
async function successorOf(
  { store }: WebhookSimulation,
  options: WebhookSimulationOptions = {},
): Promise<WebhookSimulation> {
  const simulation = new WebhookSimulation({ store, startsAt: 1_002_000, ...options });
  await simulation.webhooks.start();
  return simulation;
}

/** A server whose receiver took one event and is gone when the second comes. */
async function failing(options: WebhookSimulationOptions = {}): Promise<WebhookSimulation> {
  const simulation = new WebhookSimulation(options);
  simulation.happens("delivered");
  await simulation.advance(50);
  await simulation.last.answer(200);
  simulation.happens(1);
  await simulation.advance(50);
  await simulation.last.answer("broken");
  return simulation;
}

/** A server that stops while a channel has subscribers, and its successor. */
async function restarted(): Promise<WebhookSimulation> {
  const stopped = new WebhookSimulation();
  stopped.happens("news", "channel_occupied");
  await stopped.advance(50);
  await stopped.last.answer(200);
  stopped.webhooks.pause();
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
    const simulation = await successorOf(killed);
    simulation.happens(3);
    await simulation.advance(0);
    assert.deepEqual(WebhookSimulation.channels(simulation.last), ["1"]);
    assert.equal(simulation.last.body, killed.last.body);
    await simulation.deliverAll(50);
    assert.deepEqual(simulation.sent.flatMap(WebhookSimulation.channels), ["1", "2", "3"]);
    await simulation.advance(500);
    assert.deepEqual([simulation.store.records, simulation.clock.timers], [[], 0]);
  });

  it("writes an event that comes during a write with the next one", async () => {
    const killed = await failing();
    for (const number of [2, 3, 4]) {
      killed.happens(number);
      await killed.last.answer("broken");
      await killed.advance(1_000);
    }
    const simulation = await successorOf(killed);
    await simulation.advance(0);
    await simulation.deliverAll(0);
    assert.deepEqual(simulation.sent.flatMap(WebhookSimulation.channels), ["1", "2", "3", "4"]);
  });

  it("loses no event at a stop, neither of a running request nor of an open batch", async () => {
    const stopped = await failing();
    await stopped.advance(1_000);
    assert.equal(stopped.sent.length, 3);
    stopped.happens(2);
    await stopped.webhooks.stop();
    assert.equal(stopped.clock.timers, 0);
    const simulation = await successorOf(stopped);
    await simulation.advance(0);
    await simulation.last.answer(200);
    await simulation.advance(0);
    await simulation.last.answer(200);
    assert.deepEqual(simulation.sent.flatMap(WebhookSimulation.channels), ["1", "2"]);
  });

  it("has no address, which may contain a secret", async () => {
    const simulation = await failing();
    await simulation.webhooks.stop();
    assert.equal(simulation.store.records.length, 1);
    assert.doesNotMatch(JSON.stringify(simulation.store.records), /example|secret/);
  });

  it("does not write events that are delivered in time", async () => {
    const simulation = new WebhookSimulation();
    for (let number = 0; number < 100; number++) {
      simulation.happens(number);
      await simulation.advance(50);
      await simulation.advance(number);
      await simulation.last.answer(200);
    }
    await simulation.webhooks.stop();
    assert.equal(simulation.store.writes, 0);
  });

  it("does not write again while nothing new waits for a dead receiver", async () => {
    const simulation = await failing();
    for (let second = 0; second < 20; second++) {
      await simulation.advance(1_000);
      await simulation.last.answer("broken");
    }
    assert.deepEqual([simulation.store.writes, simulation.store.records.length], [1, 1]);
  });

  it("drops, counts and removes events older than five minutes at the start", async () => {
    const stopped = await failing();
    await stopped.webhooks.stop();
    const simulation = await successorOf(stopped, { startsAt: 1_300_050 });
    assert.equal(simulation.webhooks.stats().dropped.expired, 1);
    await simulation.advance(500);
    assert.deepEqual([simulation.sent, simulation.store.records, simulation.clock.timers], [
      [],
      [],
      0,
    ]);
  });

  it("counts the time before a restart towards the five minutes", async () => {
    const stopped = await failing();
    await stopped.webhooks.stop();
    const simulation = await successorOf(stopped, { startsAt: 1_299_050 });
    await simulation.advance(0);
    await simulation.last.answer(500);
    await simulation.advance(1_000);
    await simulation.last.answer(500);
    await simulation.advance(0);
    assert.equal(simulation.webhooks.stats().dropped.expired, 1);
  });

  it("drops, counts and removes events of a webhook that was removed meanwhile", async () => {
    const stopped = await failing();
    await stopped.webhooks.stop();
    const simulation = await successorOf(stopped, { rules: { webhooks: [] } });
    await simulation.advance(0);
    assert.equal(simulation.webhooks.stats().dropped.notConfigured, 1);
    await simulation.advance(500);
    assert.deepEqual(simulation.store.records, []);
  });

  it("drops, counts and removes events that find no room", async () => {
    const stopped = new WebhookSimulation();
    for (const number of [1, 2]) stopped.happens(number);
    await stopped.webhooks.stop();
    const simulation = await successorOf(stopped, { limits: { maxQueuedEvents: 1 } });
    assert.equal(simulation.webhooks.stats().dropped.queueFull, 2);
    await simulation.advance(500);
    assert.deepEqual([simulation.store.records, simulation.webhooks.stats().receivers], [[], 0]);
  });

  it("does not report clients that return to the successor within twenty seconds", async () => {
    const simulation = await restarted();
    await simulation.advance(19_999);
    simulation.happens("news", "channel_occupied");
    await simulation.advance(30_000);
    assert.deepEqual([simulation.sent, simulation.store.records, simulation.clock.timers], [
      [],
      [],
      0,
    ]);
  });

  it("reports the departure of clients that do not return to the successor", async () => {
    const simulation = await restarted();
    await simulation.advance(20_000);
    await simulation.advance(50);
    assert.deepEqual(JSON.parse(simulation.last.body).events, [{
      name: "channel_vacated",
      channel: "news",
      time_ms: 1_000_050,
    }]);
    await simulation.last.answer(200);
    await simulation.advance(500);
    assert.deepEqual(simulation.store.records, []);
  });

  it("keeps departures over a second restart within the twenty seconds", async () => {
    const killed = await restarted();
    await killed.advance(2_000);
    const stopped = await successorOf(killed, { startsAt: 1_015_000 });
    await stopped.webhooks.stop();
    assert.equal(stopped.store.records.length, 1);
    const simulation = await successorOf(stopped, { startsAt: 1_016_000 });
    await simulation.advance(20_000);
    await simulation.advance(50);
    assert.deepEqual(WebhookSimulation.channels(simulation.last), ["news"]);
  });

  it("writes a large number of batches in parts, one right after the other", async () => {
    const simulation = new WebhookSimulation();
    for (let number = 0; number < 12_001; number++) simulation.happens(number);
    await simulation.advance(500);
    await simulation.advance(0);
    await simulation.advance(0);
    assert.deepEqual([simulation.store.writes, simulation.store.records.length], [3, 121]);
    const saved = simulation.store.records.reduce((sum, { count }) => sum + count, 0);
    assert.equal(saved, simulation.webhooks.stats().queuedEvents);
  });

  it("repeats a failed write, and loses no more than a SIGKILL would", async () => {
    const store = new BrokenStore();
    const simulation = new WebhookSimulation({ store });
    simulation.happens(1);
    await simulation.advance(50);
    await simulation.last.answer("broken");
    for (let time = 0; time < 4; time++) await simulation.advance(500);
    assert.equal(simulation.webhooks.stats().failedSaves, 4);
    assert.deepEqual(simulation.logged.map(({ message }) => message), [
      "Webhook not delivered",
      "Undelivered webhooks not saved",
    ]);
    store.isBroken = false;
    await simulation.advance(500);
    assert.equal(store.records.length, 1);
    store.isBroken = true;
    await simulation.last.answer(200);
    await simulation.advance(500);
    assert.deepEqual([simulation.webhooks.stats().failedSaves, store.records.length], [5, 1]);
    store.isBroken = false;
    await simulation.advance(500);
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
    const simulation = new WebhookSimulation({ store });
    simulation.happens(1);
    await simulation.advance(500);
    await simulation.last.answer(200);
    resolve();
    await turn();
    assert.equal(store.records.length, 1);
    await simulation.advance(500);
    assert.deepEqual([store.records, simulation.clock.timers], [[], 0]);
  });

  it("keeps the events of two webhooks of an app apart", async () => {
    const webhooks = [{ url: "http://one/" }, { url: "http://other/" }];
    const stopped = new WebhookSimulation({ rules: { webhooks } });
    stopped.happens(1);
    await stopped.advance(50);
    await stopped.sent[0].answer(200);
    await stopped.webhooks.stop();
    const simulation = await successorOf(stopped, { rules: { webhooks } });
    await simulation.advance(0);
    assert.deepEqual(simulation.sent.map(({ url }) => url), ["http://other/"]);
  });
});

const left = (appId: string, userId: string): PendingDeparture => ({
  appId,
  at: 7,
  departure: { name: "member_removed", channel: "presence-a", userId, reason: "closed" },
});

describe("Departures that outlive a restart", () => {
  it("stay with their app, and are of the restart, since it kept the users from returning", () => {
    const pending = [left("1", "ann"), left("2", "bob")];
    const records = recordsOf(pending, () => ({ id: "id", acceptedAt: 9 }));
    const restored = records.flatMap(departuresOf);
    assert.deepEqual(restored.map(({ appId, at, departure }) => ({ appId, at, ...departure })), [
      { appId: "1", at: 7, ...left("1", "ann").departure, reason: "server_restart" },
      { appId: "2", at: 7, ...left("2", "bob").departure, reason: "server_restart" },
    ]);
  });

  it("keep what webhooks may ask for of a user", () => {
    const member = { id: "ann", info: '{"a":1}', options: { name: "Ann" }, joinedAt: 3 };
    const { departure, ...rest } = left("1", "ann");
    const pending = { ...rest, departure: { ...departure, member } as ChannelServerEvent };
    const begin = () => ({ id: "id", acceptedAt: 9 });
    const [record] = recordsOf([pending], begin, () => ["details", "names"]);
    const [restored] = departuresOf(record);
    assert.deepEqual(restored.departure, { ...departure, member, reason: "server_restart" });
    const [plain] = recordsOf([pending], begin);
    assert.doesNotMatch(plain.events, /Ann|"a"/, "what no webhook asks for is not stored");
  });

  it("have the time of the stop when the release before wrote none of their own", () => {
    const [record] = recordsOf([left("1", "ann")], () => ({ id: "id", acceptedAt: 9 }));
    const events = record.events.replace(',"time_ms":7', "");
    assert.notEqual(events, record.events);
    assert.deepEqual(departuresOf({ ...record, events }).map(({ at }) => at), [9]);
  });
});

it("The ids of saved events have the order in which they were accepted", () => {
  const ids = [outboxId(999, 5), outboxId(1_000, 2), outboxId(1_000, 10), outboxId(1_000, 100)];
  assert.deepEqual(ids.toSorted(), ids);
});
