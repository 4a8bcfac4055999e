import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import type { OutboxEvents } from "@/realtime/webhooks/webhooks.ts";
import { MemoryStore } from "./memory_store.ts";
import { address, WebhookSimulation, type WebhookSimulationOptions } from "./simulation.ts";

/** A store that counts what is read from it, and whose reading can fail. */
class CountedStore extends MemoryStore {
  mostRead = 0;
  isBroken = false;

  override read(ids: readonly string[]): Promise<OutboxEvents[]> {
    if (this.isBroken) return Promise.reject(new Error("the disk is gone"));
    this.mostRead = Math.max(this.mostRead, ids.length);
    return super.read(ids);
  }
}

const numbers = (length: number) => Array.from({ length }, (_, number) => String(number));

/** Webhooks whose receiver is down while many more events come than memory may have. */
async function waiting(options: WebhookSimulationOptions = {}, events = 1_000) {
  const store = new CountedStore();
  const limits = { maxUnsavedEvents: 100, publicShare: 1, maxBatchEvents: 10, ...options.limits };
  const simulation = new WebhookSimulation({ store, ...options, limits });
  for (const number of numbers(events)) {
    simulation.happens(number);
    if (Number(number) % 50 === 49) {
      await simulation.advance(100);
      if (simulation.sent.length > 0) await simulation.last.answer("broken");
    }
  }
  return { store, simulation };
}

/** The receiver is asked again, after the longest wait at the latest. */
async function untilAsked(simulation: WebhookSimulation, before: number): Promise<void> {
  for (let second = 0; second < 31 && simulation.sent.length === before; second++) {
    await simulation.advance(1_000);
  }
}

/** Answers all requests until no event waits. @returns the channels of the events that were sent meanwhile */
async function deliveredBy(simulation: WebhookSimulation): Promise<string[]> {
  const before = simulation.sent.length;
  await untilAsked(simulation, before);
  const sent = () => simulation.sent.slice(before);
  for (let answered = 0; simulation.webhooks.stats().queuedEvents > 0; answered++) {
    assert.ok(answered < 1_000, "events wait without end");
    await sent()[answered].answer(200);
    while (sent().length === answered + 1 && simulation.webhooks.stats().queuedEvents > 0) {
      await simulation.advance(100);
    }
  }
  return sent().flatMap(WebhookSimulation.channels);
}

describe("Events that wait for a receiver that is down", () => {
  it("are kept in the store when memory has no room, and all delivered in their order", async () => {
    const { store, simulation } = await waiting();
    const { dropped, queuedEvents } = simulation.webhooks.stats();
    assert.deepEqual([dropped.queueFull, queuedEvents], [0, 1_000]);
    assert.deepEqual(await deliveredBy(simulation), numbers(1_000));
    assert.ok(store.mostRead <= 16, `${store.mostRead} batches were read at once`);
    await simulation.advance(5_000);
    assert.deepEqual([store.records, simulation.clock.timers], [[], 0]);
  });

  it("do not hold up another receiver of the app", async () => {
    const up = "http://up/";
    const simulation = new WebhookSimulation({
      rules: { webhooks: [{ url: address }, { url: up }] },
      limits: { maxUnsavedEvents: 100, publicShare: 1, maxBatchEvents: 25 },
    });
    const answered = new Set<unknown>();
    const answer = async () => {
      await simulation.advance(100);
      for (const request of simulation.sent.filter((one) => !answered.has(one))) {
        answered.add(request);
        await request.answer(request.url === up ? 200 : "broken");
      }
    };
    for (const number of numbers(1_000)) {
      simulation.happens(number);
      if (Number(number) % 50 === 49) await answer();
    }
    for (let times = 0; times < 40; times++) await answer();
    const delivered = simulation.sent.filter(({ url }) => url === up).flatMap(
      WebhookSimulation.channels,
    );
    assert.deepEqual(delivered, numbers(1_000));
    assert.equal(simulation.webhooks.stats().queuedEvents, 1_000);
    await simulation.webhooks.stop();
  });

  it("are delivered by the next server, which reads them when they are sent", async () => {
    const { store, simulation } = await waiting();
    await simulation.webhooks.stop();
    store.mostRead = 0;
    const next = new WebhookSimulation({
      store,
      startsAt: 1_030_000,
      limits: { maxBatchEvents: 10 },
    });
    await next.webhooks.start();
    assert.equal(store.mostRead, 0);
    assert.deepEqual(await deliveredBy(next), numbers(1_000));
    assert.ok(store.mostRead <= 16);
  });

  it("are dropped beyond the limit of events that the store keeps, with one line in the log", async () => {
    const { simulation } = await waiting({ limits: { maxQueuedEvents: 600 } });
    const { dropped, queuedEvents } = simulation.webhooks.stats();
    assert.deepEqual([dropped.queueFull, queuedEvents], [400, 600]);
    const lines = simulation.logged.filter(({ message }) => message === "Webhook events dropped");
    assert.deepEqual(lines.map(({ reason }) => reason), ["queueFull"]);
    assert.deepEqual(await deliveredBy(simulation), numbers(600));
  });

  it("are not dropped for their age while the receiver takes those before them", async () => {
    const { simulation } = await waiting();
    const before = simulation.sent.length;
    await untilAsked(simulation, before);
    for (let requests = 0; simulation.webhooks.stats().queuedEvents > 0; requests++) {
      assert.ok(requests < 1_000, "events wait without end");
      await simulation.last.answer(200);
      await simulation.advance(3_900);
    }
    const { delivered, dropped } = simulation.webhooks.stats();
    assert.deepEqual([delivered, dropped.expired], [1_000, 0]);
  });

  it("are dropped after five minutes in which it never answers, and leave the store", async () => {
    const { store, simulation } = await waiting();
    for (let second = 0; second < 400; second++) {
      await simulation.advance(1_000);
      if (simulation.sent.length > 0) await simulation.last.answer("broken");
    }
    assert.deepEqual(
      [simulation.webhooks.stats().dropped.expired, store.records, simulation.clock.timers],
      [1_000, [], 0],
    );
  });

  it("wait on while the store cannot be read, and are delivered when it can", async () => {
    const { store, simulation } = await waiting();
    store.isBroken = true;
    const sent = simulation.sent.length;
    await simulation.advance(20_000);
    assert.ok(simulation.sent.length <= sent + 1, "requests without events were sent");
    if (simulation.sent.length > sent) await simulation.last.answer("broken");
    await simulation.advance(20_000);
    assert.equal(simulation.webhooks.stats().queuedEvents, 1_000);
    store.isBroken = false;
    assert.deepEqual(await deliveredBy(simulation), numbers(1_000));
  });

  it("are counted as missing when the store lost them", async () => {
    const { store, simulation } = await waiting();
    const lost = store.records.splice(1, 2);
    const channels = lost.flatMap(({ events }) =>
      WebhookSimulation.channels({ body: `{"events":[${events}]}` })
    );
    const delivered = await deliveredBy(simulation);
    assert.deepEqual(delivered, numbers(1_000).filter((number) => !channels.includes(number)));
    assert.equal(simulation.webhooks.stats().dropped.missing, channels.length);
  });
});
