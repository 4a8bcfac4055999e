import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { appSettings } from "@/realtime/app_config.ts";
import type { ServerEvent } from "@/realtime/server.ts";
import {
  address,
  app,
  MemoryStore,
  WebhookSimulation,
  type WebhookSimulationOptions,
} from "./simulation.ts";

const other = "https://example.org/other";

/** When the events of the log happened. */
const loggedAt = 900_000;

/** Webhooks whose events come from a log, which notes what is secured. */
class LoggedWebhookSimulation extends WebhookSimulation {
  readonly secured: string[] = [];

  constructor(options: WebhookSimulationOptions = {}) {
    super(options);
  }

  /** Takes an event from the log. */
  takes(entry: string, event: ServerEvent): void {
    const settings = appSettings(this.apps[0]);
    this.webhooks.take(event, settings, { at: loggedAt, secured: () => this.secured.push(entry) });
  }

  misses(entry: string): void {
    this.takes(entry, { name: "cache_miss", channel: entry });
  }

  occupied(entry: string): void {
    this.takes(entry, { name: "channel_occupied", channel: "room" });
  }

  vacated(entry: string): void {
    this.takes(entry, { name: "channel_vacated", channel: "room" });
  }
}

describe("An event from a log", () => {
  it("is secured when it is delivered to all its webhooks", async () => {
    const rules = { webhooks: [{ url: address }, { url: other }] };
    const simulation = new LoggedWebhookSimulation({ rules });
    simulation.misses("a");
    await simulation.advance(100);
    const [one, two] = simulation.sent;
    await one.answer(200);
    assert.deepEqual(simulation.secured, []);
    await two.answer(200);
    assert.deepEqual(simulation.secured, ["a"]);
    await simulation.webhooks.stop();
    assert.deepEqual(simulation.secured, ["a"]);
  });

  it("is secured when it is in the store, and not before", async () => {
    const simulation = new LoggedWebhookSimulation();
    simulation.misses("a");
    simulation.misses("b");
    await simulation.advance(400);
    assert.deepEqual([simulation.secured, simulation.store.records], [[], []]);
    await simulation.advance(1_000);
    assert.deepEqual([simulation.secured, simulation.store.records.length], [["a", "b"], 1]);
    await simulation.webhooks.stop();
  });

  it("is not secured by a store that fails", async () => {
    const store = new MemoryStore();
    store.write = () => Promise.reject(new Error("full"));
    const simulation = new LoggedWebhookSimulation({ store });
    simulation.misses("a");
    await simulation.advance(3_000);
    await simulation.webhooks.stop();
    assert.deepEqual(simulation.secured, []);
  });

  it("is not secured by a store that another server uses by now, which is no failure", async () => {
    const store = new MemoryStore();
    store.write = () => Promise.resolve(false);
    const simulation = new LoggedWebhookSimulation({ store });
    simulation.misses("a");
    await simulation.advance(3_000);
    await simulation.webhooks.stop();
    assert.deepEqual([simulation.secured, simulation.webhooks.stats().failedSaves], [[], 0]);
    assert.deepEqual(simulation.logged, []);
  });

  it("is secured when nothing has to be sent, or it is dropped", async () => {
    const none = new LoggedWebhookSimulation({
      rules: { webhooks: [{ url: address, events: [] }] },
    });
    none.misses("not wanted");
    none.vacated("vacated");
    await none.advance(5_000);
    const without = new LoggedWebhookSimulation({ rules: { webhooks: [] } });
    without.misses("no webhook");
    const reserved = { prefix: "private-own.", secret: app.secret };
    const own = new LoggedWebhookSimulation({ rules: { reserved } });
    own.takes("own", { name: "channel_occupied", channel: "private-own.a" });
    const full = new LoggedWebhookSimulation({ limits: { maxQueuedEvents: 1 } });
    for (const entry of ["first", "second"]) full.misses(entry);
    assert.deepEqual(
      [none, without, own, full].map(({ secured }) => secured),
      [["not wanted", "vacated"], ["no webhook"], ["own"], ["second"]],
    );
    full.apps = [{ ...app, webhooks: [{ url: other }] }];
    await full.advance(100);
    assert.deepEqual(full.secured, ["second", "first"]);
    for (const simulation of [none, without, own, full]) await simulation.webhooks.stop();
  });

  it("finds room, however few may wait unsaved, while the log is read on only after they are saved", async () => {
    const simulation = new LoggedWebhookSimulation({
      limits: { maxUnsavedEvents: 4, publicShare: 1 },
    });
    for (const entry of ["a", "b", "c"]) simulation.misses(entry);
    assert.equal(simulation.webhooks.hasRoom, true);
    for (const entry of ["d", "e"]) simulation.misses(entry);
    assert.equal(simulation.webhooks.hasRoom, false);
    simulation.happens("of no log");
    assert.deepEqual([simulation.webhooks.stats().queuedEvents, simulation.secured], [5, []]);
    await simulation.advance(500);
    assert.deepEqual([simulation.webhooks.hasRoom, simulation.secured], [true, [
      "a",
      "b",
      "c",
      "d",
      "e",
    ]]);
    assert.equal(simulation.webhooks.stats().dropped.queueFull, 1);
    await simulation.webhooks.stop();
  });

  it("is secured with the return that follows it, when it is a departure", async () => {
    const simulation = new LoggedWebhookSimulation();
    simulation.vacated("left");
    await simulation.advance(1_000);
    assert.deepEqual(simulation.secured, []);
    simulation.occupied("back");
    assert.deepEqual(simulation.secured, ["left", "back"]);
    await simulation.advance(5_000);
    assert.equal(simulation.sent.length, 0);
    await simulation.webhooks.stop();
  });

  it("has the time at which it happened, and the request the time at which it was read", async () => {
    const simulation = new LoggedWebhookSimulation();
    simulation.vacated("left");
    simulation.misses("a");
    await simulation.advance(3_500);
    await simulation.deliverAll(100);
    const bodies = simulation.sent.map(({ body }) => JSON.parse(body));
    assert.deepEqual(bodies, [
      { time_ms: 1_000_000, events: [{ name: "cache_miss", channel: "a", time_ms: loggedAt }] },
      {
        time_ms: 1_003_000,
        events: [{ name: "channel_vacated", channel: "room", time_ms: loggedAt }],
      },
    ]);
    await simulation.webhooks.stop();
  });

  it("that repeats a departure is reported once", async () => {
    const simulation = new LoggedWebhookSimulation();
    simulation.vacated("once");
    await simulation.advance(1_000);
    simulation.vacated("again");
    await simulation.advance(3_500);
    await simulation.deliverAll(100);
    assert.deepEqual(simulation.sent.map(WebhookSimulation.channels), [["room"]]);
    assert.deepEqual(simulation.secured, ["once", "again"]);
    await simulation.webhooks.stop();
  });

  it("stays in the log, and out of the store, when its departure is pending at a stop", async () => {
    const simulation = new LoggedWebhookSimulation();
    simulation.vacated("left");
    simulation.happens("of no log", "channel_vacated");
    await simulation.webhooks.stop();
    assert.deepEqual(simulation.secured, []);
    assert.deepEqual(simulation.store.records.map(({ events }) => events), [
      '{"name":"channel_vacated","channel":"of no log","time_ms":1000000}',
    ]);
    simulation.misses("late");
    await simulation.advance(5_000);
    assert.deepEqual(simulation.secured, []);
  });
});

describe("Webhooks that stop and start again", () => {
  it("deliver what another server left in the store, once and before what follows", async () => {
    const store = new MemoryStore();
    const [one, two] = [0, 0].map(() => new LoggedWebhookSimulation({ store }));
    await one.webhooks.start();
    one.misses("a");
    await one.webhooks.stop();
    assert.deepEqual(one.secured, ["a"]);
    await two.webhooks.start();
    two.misses("b");
    await two.advance(100);
    await two.deliverAll(100);
    await two.webhooks.stop();
    assert.deepEqual(two.sent.map(WebhookSimulation.channels), [["a"], ["b"]]);
    two.sent.length = 0;
    await one.webhooks.start();
    await one.advance(100);
    assert.equal(one.sent.length, 0);
    one.misses("c");
    await one.webhooks.stop();
    await one.webhooks.start();
    await one.advance(100);
    await one.deliverAll(100);
    assert.deepEqual(one.sent.map(WebhookSimulation.channels), [["c"]]);
    await one.advance(2_000);
    assert.deepEqual([store.records, one.webhooks.stats().delivered], [[], 1]);
    await one.webhooks.stop();
  });

  it("keep the order across servers whose clocks differ", async () => {
    const store = new MemoryStore();
    const ahead = new LoggedWebhookSimulation({ store, startsAt: 1_060_000 });
    await ahead.webhooks.start();
    ahead.misses("a");
    await ahead.webhooks.stop();
    const behind = new LoggedWebhookSimulation({ store });
    await behind.webhooks.start();
    behind.misses("b");
    await behind.webhooks.stop();
    const next = new LoggedWebhookSimulation({ store });
    await next.webhooks.start();
    await next.advance(100);
    await next.deliverAll(100);
    assert.deepEqual(next.sent.map(WebhookSimulation.channels), [["a"], ["b"]]);
    await next.webhooks.stop();
  });
});
