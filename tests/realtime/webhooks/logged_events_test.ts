import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { appSettings } from "@/realtime/app_config.ts";
import type { ServerEvent } from "@/realtime/server.ts";
import { MemoryStore } from "./memory_store.ts";
import { address, app, World, type WorldOptions } from "./world.ts";

const other = "https://example.org/other";

/** Webhooks whose events come from a log, which notes what is secured. */
class LoggedWorld extends World {
  readonly secured: string[] = [];

  constructor(options: WorldOptions = {}) {
    super(options);
  }

  /** Takes an event from the log. */
  takes(entry: string, event: ServerEvent): void {
    const settings = appSettings(this.apps[0]);
    this.webhooks.take(event, settings, () => this.secured.push(entry));
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
    const world = new LoggedWorld({ rules });
    world.misses("a");
    await world.advance(100);
    const [one, two] = world.sent;
    await one.answer(200);
    assert.deepEqual(world.secured, []);
    await two.answer(200);
    assert.deepEqual(world.secured, ["a"]);
    await world.webhooks.stop();
    assert.deepEqual(world.secured, ["a"]);
  });

  it("is secured when it is in the store, and not before", async () => {
    const world = new LoggedWorld();
    world.misses("a");
    world.misses("b");
    await world.advance(400);
    assert.deepEqual([world.secured, world.store.records], [[], []]);
    await world.advance(1_000);
    assert.deepEqual([world.secured, world.store.records.length], [["a", "b"], 1]);
    await world.webhooks.stop();
  });

  it("is not secured by a store that fails", async () => {
    const store = new MemoryStore();
    store.write = () => Promise.reject(new Error("full"));
    const world = new LoggedWorld({ store });
    world.misses("a");
    await world.advance(3_000);
    await world.webhooks.stop();
    assert.deepEqual(world.secured, []);
  });

  it("is not secured by a store that another server uses by now, which is no failure", async () => {
    const store = new MemoryStore();
    store.write = () => Promise.resolve(false);
    const world = new LoggedWorld({ store });
    world.misses("a");
    await world.advance(3_000);
    await world.webhooks.stop();
    assert.deepEqual([world.secured, world.webhooks.stats().failedSaves], [[], 0]);
    assert.deepEqual(world.logged, []);
  });

  it("is secured when nothing has to be sent, or it is dropped", async () => {
    const none = new LoggedWorld({ rules: { webhooks: [{ url: address, events: [] }] } });
    none.misses("not wanted");
    none.vacated("vacated");
    await none.advance(5_000);
    const without = new LoggedWorld({ rules: { webhooks: [] } });
    without.misses("no webhook");
    const reserved = { prefix: "private-own.", secret: app.secret };
    const own = new LoggedWorld({ rules: { reserved } });
    own.takes("own", { name: "channel_occupied", channel: "private-own.a" });
    const full = new LoggedWorld({ limits: { maxQueuedEvents: 1 } });
    for (const entry of ["first", "second"]) full.misses(entry);
    assert.deepEqual(
      [none, without, own, full].map(({ secured }) => secured),
      [["not wanted", "vacated"], ["no webhook"], ["own"], ["second"]],
    );
    full.apps = [{ ...app, webhooks: [{ url: other }] }];
    await full.advance(100);
    assert.deepEqual(full.secured, ["second", "first"]);
    for (const world of [none, without, own, full]) await world.webhooks.stop();
  });

  it("finds room, however few may wait unsaved, while the log is read on only after they are saved", async () => {
    const world = new LoggedWorld({ limits: { maxUnsavedEvents: 4, publicShare: 1 } });
    for (const entry of ["a", "b", "c"]) world.misses(entry);
    assert.equal(world.webhooks.hasRoom, true);
    for (const entry of ["d", "e"]) world.misses(entry);
    assert.equal(world.webhooks.hasRoom, false);
    world.happens("of no log");
    assert.deepEqual([world.webhooks.stats().queuedEvents, world.secured], [5, []]);
    await world.advance(500);
    assert.deepEqual([world.webhooks.hasRoom, world.secured], [true, ["a", "b", "c", "d", "e"]]);
    assert.equal(world.webhooks.stats().dropped.queueFull, 1);
    await world.webhooks.stop();
  });

  it("is secured with the return that follows it, when it is a departure", async () => {
    const world = new LoggedWorld();
    world.vacated("left");
    await world.advance(1_000);
    assert.deepEqual(world.secured, []);
    world.occupied("back");
    assert.deepEqual(world.secured, ["left", "back"]);
    await world.advance(5_000);
    assert.equal(world.sent.length, 0);
    await world.webhooks.stop();
  });

  it("that repeats a departure is reported once", async () => {
    const world = new LoggedWorld();
    world.vacated("once");
    await world.advance(1_000);
    world.vacated("again");
    await world.advance(3_500);
    await world.deliverAll(100);
    assert.deepEqual(world.sent.map(World.channels), [["room"]]);
    assert.deepEqual(world.secured, ["once", "again"]);
    await world.webhooks.stop();
  });

  it("stays in the log, and out of the store, when its departure is pending at a stop", async () => {
    const world = new LoggedWorld();
    world.vacated("left");
    world.happens("of no log", "channel_vacated");
    await world.webhooks.stop();
    assert.deepEqual(world.secured, []);
    assert.deepEqual(world.store.records.map(({ events }) => events), [
      '{"name":"channel_vacated","channel":"of no log"}',
    ]);
    world.misses("late");
    await world.advance(5_000);
    assert.deepEqual(world.secured, []);
  });
});

describe("Webhooks that stop and start again", () => {
  it("deliver what another server left in the store, once and before what follows", async () => {
    const store = new MemoryStore();
    const [one, two] = [0, 0].map(() => new LoggedWorld({ store }));
    await one.webhooks.start();
    one.misses("a");
    await one.webhooks.stop();
    assert.deepEqual(one.secured, ["a"]);
    await two.webhooks.start();
    two.misses("b");
    await two.advance(100);
    await two.deliverAll(100);
    await two.webhooks.stop();
    assert.deepEqual(two.sent.map(World.channels), [["a"], ["b"]]);
    two.sent.length = 0;
    await one.webhooks.start();
    await one.advance(100);
    assert.equal(one.sent.length, 0);
    one.misses("c");
    await one.webhooks.stop();
    await one.webhooks.start();
    await one.advance(100);
    await one.deliverAll(100);
    assert.deepEqual(one.sent.map(World.channels), [["c"]]);
    await one.advance(2_000);
    assert.deepEqual([store.records, one.webhooks.stats().delivered], [[], 1]);
    await one.webhooks.stop();
  });

  it("keep the order across servers whose clocks differ", async () => {
    const store = new MemoryStore();
    const ahead = new LoggedWorld({ store, startsAt: 1_060_000 });
    await ahead.webhooks.start();
    ahead.misses("a");
    await ahead.webhooks.stop();
    const behind = new LoggedWorld({ store });
    await behind.webhooks.start();
    behind.misses("b");
    await behind.webhooks.stop();
    const next = new LoggedWorld({ store });
    await next.webhooks.start();
    await next.advance(100);
    await next.deliverAll(100);
    assert.deepEqual(next.sent.map(World.channels), [["a"], ["b"]]);
    await next.webhooks.stop();
  });
});
