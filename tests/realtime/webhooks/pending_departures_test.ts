import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { PendingDepartures } from "@/realtime/webhooks/pending_departures.ts";
import type { ChannelServerEvent } from "@/realtime/events/server_events.ts";
import { ManualClock } from "../manual_clock.ts";

class DeparturesSimulation {
  readonly clock = new ManualClock();
  readonly reported: string[] = [];
  readonly pending: PendingDepartures;

  constructor(options: { presenceGraceMs?: number; max?: number } = {}) {
    this.pending = new PendingDepartures({
      returnMs: 3_000,
      restartReturnMs: 20_000,
      presenceGraceMs: 0,
      max: 100,
      report: ({ departure, appId }) => this.#report(departure, appId),
      clock: this.clock,
      ...options,
    });
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
    if (this.pending.passes(event, appId)) this.#report(event, appId);
  }

  restores(channel: string, userId: string): void {
    const reason = "server_restart";
    const departure: ChannelServerEvent = { name: "member_removed", channel, userId, reason };
    this.pending.restore({ appId: "1", departure });
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
