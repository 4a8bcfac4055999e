import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import type { OutboxEvents } from "@/realtime/webhooks/webhooks.ts";
import { PendingDepartures } from "@/realtime/webhooks/pending_departures.ts";
import { defaultWebhookLimits } from "@/realtime/webhooks/webhook_options.ts";
import type { ChannelServerEvent } from "@/realtime/events/server_events.ts";
import {
  address,
  MemoryStore,
  WebhookSimulation,
  type WebhookSimulationOptions,
} from "./simulation.ts";
import { ManualClock } from "../manual_clock.ts";
import { partOf } from "../../fixtures/doubles.ts";

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

class DeparturesSimulation {
  readonly clock = new ManualClock();
  readonly reported: string[] = [];
  readonly pending: PendingDepartures;

  constructor({ presenceGraceMs = 0, max = 100 } = {}) {
    const limits = { ...defaultWebhookLimits, maxPendingDepartures: max };
    this.pending = new PendingDepartures(
      partOf({ clock: this.clock, limits, presenceGraceMs }),
      ({ departure, appId }) => this.#report(departure, appId),
    );
  }

  happens(name: ChannelServerEvent["name"], channel = "news", userId = "ann", appId = "1"): void {
    const member = {
      channel,
      userId,
      reason: "closed" as const,
      member: { id: userId, info: "{}" },
    };
    const event: ChannelServerEvent = name === "channel_occupied" || name === "channel_vacated"
      ? { name, channel }
      : { name, ...member };
    if (this.pending.passes(event, appId, { at: 0 })) this.#report(event, appId);
  }

  restores(channel: string, userId: string): void {
    const reason = "server_restart";
    const departure: ChannelServerEvent = { name: "member_removed", channel, userId, reason };
    this.pending.restore({ appId: "1", departure, at: 0 });
  }

  #report(event: ChannelServerEvent, appId: string): void {
    const user = "userId" in event ? ` ${event.userId}` : "";
    this.reported.push(`${appId} ${event.name} ${event.channel}${user}`);
  }
}

const steps = fc.array(
  fc.record({ channel: fc.constantFrom("a", "b", "presence-c"), waitMs: fc.nat(5_000) }),
  { maxLength: 60 },
);

/** Applies a report as a receiver does: each one must be a change. */
function believe(known: Set<string>, text: string): void {
  const [, name, channel] = text.split(" ");
  if (name === "channel_vacated") assert.ok(known.delete(channel), text);
  else {
    assert.ok(!known.has(channel), text);
    known.add(channel);
  }
}

describe("PendingDepartures", () => {
  it("reports nothing of a channel that is occupied again within three seconds", () => {
    const simulation = new DeparturesSimulation();
    simulation.happens("channel_occupied");
    simulation.happens("channel_vacated");
    simulation.clock.advance(2_999);
    simulation.happens("channel_occupied");
    simulation.clock.advance(10_000);
    assert.deepEqual(simulation.reported, ["1 channel_occupied news"]);
    assert.deepEqual([simulation.pending.size, simulation.clock.timers], [0, 0]);
  });

  it("reports a vacated channel after three seconds, and that it is occupied again", () => {
    const simulation = new DeparturesSimulation();
    simulation.happens("channel_vacated");
    simulation.clock.advance(3_000);
    simulation.happens("channel_occupied");
    assert.deepEqual(simulation.reported, ["1 channel_vacated news", "1 channel_occupied news"]);
  });

  it("reports both events of a channel that is occupied for a moment", () => {
    const simulation = new DeparturesSimulation();
    simulation.happens("channel_occupied");
    simulation.happens("channel_vacated");
    simulation.clock.advance(3_000);
    assert.deepEqual(simulation.reported, ["1 channel_occupied news", "1 channel_vacated news"]);
  });

  it("matches a returning member by its user, channel and app", () => {
    const simulation = new DeparturesSimulation();
    simulation.happens("member_removed", "presence-a", "ann");
    simulation.happens("member_added", "presence-a", "bob");
    simulation.happens("member_added", "presence-b", "ann");
    simulation.happens("member_added", "presence-a", "ann", "2");
    simulation.happens("channel_occupied", "presence-a");
    assert.deepEqual(simulation.reported.splice(0).length, 4);
    simulation.happens("member_added", "presence-a", "ann");
    simulation.clock.advance(3_000);
    assert.deepEqual(simulation.reported, []);
  });

  it("counts the leave grace of presence channels towards the three seconds", () => {
    const simulation = new DeparturesSimulation({ presenceGraceMs: 1_500 });
    simulation.happens("member_removed", "presence-a");
    simulation.happens("channel_vacated", "presence-a");
    simulation.happens("channel_vacated", "news");
    simulation.clock.advance(1_500);
    const ofPresence = ["1 member_removed presence-a ann", "1 channel_vacated presence-a"];
    assert.deepEqual(simulation.reported, ofPresence);
    simulation.clock.advance(1_500);
    assert.deepEqual(simulation.reported, [...ofPresence, "1 channel_vacated news"]);
  });

  it("gives the clients of a restarted server twenty seconds, whatever the leave grace", () => {
    const simulation = new DeparturesSimulation({ presenceGraceMs: 1_500 });
    for (const userId of ["ann", "bob"]) simulation.restores("presence-a", userId);
    simulation.clock.advance(19_999);
    simulation.happens("member_added", "presence-a", "ann");
    assert.deepEqual(simulation.reported, []);
    simulation.clock.advance(1);
    assert.deepEqual(simulation.reported, ["1 member_removed presence-a bob"]);
    assert.deepEqual([simulation.pending.size, simulation.clock.timers], [0, 0]);
  });

  it("reports the oldest at once when there are too many", () => {
    const simulation = new DeparturesSimulation({ max: 2 });
    for (const channel of ["a", "b", "c"]) simulation.happens("channel_vacated", channel);
    assert.deepEqual(simulation.reported, ["1 channel_vacated a"]);
    simulation.clock.advance(3_000);
    assert.equal(simulation.reported.length, 3);
    assert.equal(simulation.clock.timers, 0);
  });

  it("reports nothing while held, and returns the pending departures when it stops", () => {
    const simulation = new DeparturesSimulation();
    simulation.happens("channel_vacated", "a");
    simulation.pending.pause();
    simulation.happens("channel_vacated", "b");
    simulation.clock.advance(10_000);
    simulation.happens("channel_occupied", "a");
    assert.deepEqual(simulation.reported, []);
    const waited = simulation.pending.stop().map(({ departure }) => departure.channel);
    assert.deepEqual([waited, simulation.pending.size, simulation.clock.timers], [["b"], 0, 0]);
  });

  it("keeps the departures of a predecessor while held, for the next server", () => {
    const simulation = new DeparturesSimulation();
    simulation.restores("presence-a", "ann");
    simulation.pending.pause();
    simulation.clock.advance(60_000);
    assert.deepEqual(simulation.reported, []);
    assert.equal(simulation.pending.stop().length, 1);
  });

  it("gives a receiver the state of three seconds before, whatever happens", () => {
    fc.assert(fc.property(steps, (todo) => {
      const simulation = new DeparturesSimulation();
      const occupied = new Set<string>();
      const emptySince = new Map<string, number>();
      const known = new Set<string>();
      for (const { channel, waitMs } of todo) {
        if (!occupied.delete(channel)) occupied.add(channel);
        const isOccupied = occupied.has(channel);
        if (!isOccupied) emptySince.set(channel, simulation.clock.now());
        simulation.happens(isOccupied ? "channel_occupied" : "channel_vacated", channel);
        simulation.clock.advance(waitMs);
        for (const text of simulation.reported.splice(0)) believe(known, text);
        for (const name of ["a", "b", "presence-c"]) {
          const gone = simulation.clock.now() - (emptySince.get(name) ?? -Infinity);
          assert.equal(known.has(name), occupied.has(name) || gone < 3_000, name);
        }
      }
      simulation.clock.advance(3_000);
      assert.deepEqual([simulation.pending.size, simulation.clock.timers], [0, 0]);
    }));
  });
});
