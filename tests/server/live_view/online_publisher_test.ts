import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { type People, peopleOf, withChanges } from "@/components/live_view/people.ts";
import { OnlinePublisher } from "@/server/live_view/online_publisher.ts";
import type { ChannelPresence } from "@/server/presence/channel_presence.ts";
import type { LogEntry, PresentMember } from "@/realtime/server.ts";
import { ManualClock } from "../../realtime/manual_clock.ts";
import { partOf } from "../../fixtures/doubles.ts";
import type { Activity, OnlineChanged } from "@/shared/online.ts";

/** A publisher whose members and clock the test moves by hand. */
class OnlinePublisherSimulation {
  readonly clock = new ManualClock();
  readonly published: OnlineChanged[] = [];
  readonly logged: LogEntry[] = [];
  readonly members = new Map<string, PresentMember>();
  readonly names = new Map<string, string>();
  /** Look-ups that a test ends; null: they end by themselves. */
  lookups: { end(): void; fail(): void }[] | null = null;
  source: string | undefined;
  /** Users on servers that do not answer. */
  missing: string[] = [];
  isComplete = true;
  watched = true;
  broken = false;
  readonly publisher = new OnlinePublisher(partOf({
    channel: "presence-chart",
    presence: partOf<ChannelPresence>({
      onAllServers: () => {
        const members = [...this.members.values()].map((member) => ({ ...member }));
        return Promise.resolve({ members, isComplete: this.isComplete, missing: this.missing });
      },
    }),
    accountsOf: (ids) => this.#accountsOf(ids),
    source: () => this.source,
    isWatched: () => this.watched,
    publishChanges: (changed) => this.published.push(structuredClone(changed)),
    clock: this.clock,
    log: (entry) => this.logged.push(entry),
  }));

  async #accountsOf(ids: readonly string[]) {
    const found = ids.filter((id) => id.startsWith("user"))
      .map((id) => ({ id, name: this.names.get(id) ?? `Name of ${id}` }));
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const fail = () => reject(new Error("no database"));
    if (this.lookups) this.lookups.push({ end: resolve, fail });
    else if (this.broken) fail();
    else resolve();
    await promise;
    return found.map(({ id, name }) => ({
      id,
      name,
      email: `${id}@example.org`,
      role: "user" as const,
      disabled: false,
      createdAt: new Date(0),
    }));
  }

  join(userId: string): void {
    const date = this.clock.date();
    const member = this.members.get(userId);
    if (member) member.connections++;
    else this.members.set(userId, { userId, since: date, connections: 1, lastSeenAt: date });
    this.publisher.changed();
  }

  leave(userId: string): void {
    const member = this.members.get(userId);
    if (member && --member.connections === 0) this.members.delete(userId);
    this.publisher.changed();
  }

  /** Advances the clock to the next event. */
  async pass(): Promise<void> {
    this.clock.advance(500);
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
  }
}

/** An admin's page: asks for a list until it gets one, and follows it. */
class Page {
  people: People | null = null;
  readonly #simulation: OnlinePublisherSimulation;
  readonly #held: OnlineChanged[] = [];

  constructor(simulation: OnlinePublisherSimulation) {
    this.#simulation = simulation;
    simulation.published.length = 0;
    simulation.watched = true;
    void this.#ask();
  }

  async #ask(): Promise<void> {
    try {
      this.people = peopleOf(await this.#simulation.publisher.snapshot());
    } catch {
      await this.#ask();
    }
  }

  read(): void {
    this.#held.push(...this.#simulation.published.splice(0));
    if (!this.people) return;
    const next = withChanges(this.people, ...this.#held.splice(0));
    assert.ok(next, "an event is missing");
    this.people = next;
  }

  close(): void {
    this.#simulation.watched = false;
    this.#simulation.publisher.changed();
  }
}

/** Resolves when all that is ready has run. Quicker than a timer, of which there would be thousands. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 40; turn++) await Promise.resolve();
}

const namesTold = ({ published }: OnlinePublisherSimulation) =>
  published.flatMap(({ changes }) => changes)
    .flatMap((change) => change.type === "joined" ? [change.person.name] : []);

const guest = `guest-${"3f2a".repeat(8)}`;
const noted = (id: string): Activity => ({
  at: 1,
  id,
  kind: "foreign",
  name: id,
  change: "joined",
});

describe("the online publisher", () => {
  it("keeps people as they were while their server does not answer", async () => {
    const simulation = new OnlinePublisherSimulation();
    for (const id of ["user1", "user2"]) simulation.join(id);
    await simulation.pass();
    const [user1, user2] = (await simulation.publisher.snapshot()).people;
    simulation.members.delete("user1");
    simulation.missing = ["user1", "someone new"];
    simulation.publisher.changed();
    await simulation.pass();
    assert.deepEqual((await simulation.publisher.snapshot()).people, [user1, user2]);
    simulation.missing = [];
    simulation.publisher.changed();
    await simulation.pass();
    assert.deepEqual((await simulation.publisher.snapshot()).people, [user2]);
  });

  it("publishes who joined, with name, role and kind of user", async () => {
    const simulation = new OnlinePublisherSimulation();
    for (const id of ["user1", guest, "42"]) simulation.join(id);
    await simulation.pass();
    const people = simulation.published.flatMap(({ changes }) => changes)
      .map((change) => change.type === "joined" && { ...change.person, since: 0, lastSeenAt: 0 });
    const always = { since: 0, connections: 1, lastSeenAt: 0 };
    assert.deepEqual(people, [
      { id: "user1", kind: "user", name: "Name of user1", role: "user", ...always },
      { id: guest, kind: "guest", name: "Guest 3f2a", role: null, ...always },
      { id: "42", kind: "foreign", name: "42", role: null, ...always },
    ]);
  });

  it("publishes the page that a user's tab reported last, each that it shows and its end", async () => {
    const simulation = new OnlinePublisherSimulation();
    const page = new Page(simulation);
    await settled();
    simulation.join("42");
    const shown: unknown[] = [];
    for (const path of [undefined, "/a", "/a", "/b", undefined]) {
      const pages = path === undefined
        ? undefined
        : [{ path, device: "phone" as const, since: 9 }, {
          path: "/",
          device: undefined,
          since: 1,
        }];
      Object.assign(simulation.members.get("42")!, { pages });
      simulation.publisher.changed();
      await simulation.pass();
      const changes = simulation.published.flatMap(({ changes }) => changes).length;
      page.read();
      shown.push([changes, page.people?.byId.get("42")?.page?.path]);
    }
    assert.deepEqual(shown, [[1, undefined], [1, "/a"], [0, "/a"], [1, "/b"], [1, undefined]]);
  });

  it("publishes that a user is active, idle or neither, when it changes only, and how many are", async () => {
    const simulation = new OnlinePublisherSimulation();
    const page = new Page(simulation);
    await settled();
    simulation.join("42");
    const shown: unknown[] = [];
    for (const state of [undefined, "active", "active", "idle", undefined] as const) {
      const activity = state && { state, since: simulation.clock.date() };
      Object.assign(simulation.members.get("42")!, { activity });
      simulation.publisher.changed();
      await simulation.pass();
      const changes = simulation.published.flatMap(({ changes }) => changes).length;
      page.read();
      const { active } = await simulation.publisher.snapshot();
      shown.push([changes, page.people?.byId.get("42")?.activity?.state, active]);
    }
    assert.deepEqual(shown, [
      [1, undefined, null],
      [1, "active", 1],
      [0, "active", 1],
      [1, "idle", 0],
      [1, undefined, null],
    ]);
  });

  it("leaves states as they are while a server with a tab that may be active does not answer", async () => {
    const simulation = new OnlinePublisherSimulation();
    const page = new Page(simulation);
    await settled();
    simulation.join("42");
    const states: unknown[] = [];
    const steps: [state: "active" | "idle" | undefined, isComplete: boolean][] = [
      ["active", true],
      ["idle", false],
      [undefined, false],
      ["idle", true],
      ["active", false],
    ];
    for (const [state, isComplete] of steps) {
      simulation.isComplete = isComplete;
      const activity = state && { state, since: 0 };
      Object.assign(simulation.members.get("42")!, { activity });
      simulation.publisher.changed();
      await simulation.pass();
      page.read();
      states.push(page.people?.byId.get("42")?.activity?.state);
    }
    assert.deepEqual(states, ["active", "active", "active", "idle", "active"]);
  });

  it("publishes the app of its users while there are several, by its name of the time", async () => {
    const simulation = new OnlinePublisherSimulation();
    simulation.join("42");
    simulation.join("user1");
    await simulation.pass();
    for (const source of ["Shop", "Store", undefined]) {
      simulation.published.length = 0;
      simulation.source = source;
      simulation.publisher.changed();
      await simulation.pass();
      const changed = simulation.published.flatMap(({ changes }) => changes)
        .map((change) => change.type === "joined" && [change.person.id, change.person.source]);
      assert.deepEqual(changed, [["42", source]]);
      const { people } = await simulation.publisher.snapshot();
      assert.deepEqual(people.map((person) => person.source), [source, undefined]);
    }
  });

  it("publishes many changes in one event, and none for changes that cancel out", async () => {
    const simulation = new OnlinePublisherSimulation();
    for (const id of ["a", "b", "c"]) simulation.join(id);
    await simulation.pass();
    assert.equal(simulation.published.length, 1);
    simulation.join("d");
    simulation.leave("d");
    await simulation.pass();
    assert.equal(simulation.published.length, 1);
  });

  it("publishes the first change at once, then twice a second, however often people come and go", async () => {
    const simulation = new OnlinePublisherSimulation();
    simulation.join("user0");
    simulation.clock.advance(0);
    await settled();
    assert.equal(simulation.published.length, 1);
    for (let joined = 1; joined < 10; joined++) {
      simulation.clock.advance(100);
      simulation.join(`user${joined}`);
      await settled();
    }
    assert.equal(simulation.published.length, 2);
    simulation.clock.advance(100);
    await settled();
    assert.equal(simulation.published.length, 3);
    assert.equal(namesTold(simulation).length, 10);
  });

  it("splits any number of changes into events that fit the protocol", async () => {
    const simulation = new OnlinePublisherSimulation();
    for (let index = 0; index < 1_000; index++) simulation.join(`user${index}`);
    await simulation.pass();
    const sizes = simulation.published.map((event) => JSON.stringify(event).length);
    assert.ok(Math.max(...sizes) < 10_000, `${Math.max(...sizes)} bytes`);
    assert.equal(simulation.published.flatMap(({ changes }) => changes).length, 1_000);
  });

  it("looks up, publishes and keeps nothing while no page is open", async () => {
    const simulation = new OnlinePublisherSimulation();
    simulation.watched = false;
    simulation.join("a");
    simulation.publisher.activityStored(noted("a"));
    await simulation.pass();
    assert.deepEqual([simulation.published.length, simulation.clock.timers], [0, 0]);
  });

  it("gives a new page a snapshot, and no event about the people in it", async () => {
    const simulation = new OnlinePublisherSimulation();
    simulation.watched = false;
    for (const id of ["a", "b"]) simulation.join(id);
    simulation.watched = true;
    const { version, people } = await simulation.publisher.snapshot();
    assert.deepEqual([people.length, simulation.published], [2, []]);
    simulation.join("c");
    await simulation.pass();
    assert.deepEqual(simulation.published.map((event) => event.version), [version + 1]);
    assert.deepEqual(simulation.published[0].changes.map(({ type }) => type), ["joined"]);
  });

  it("publishes every change after the database failed", async () => {
    const simulation = new OnlinePublisherSimulation();
    simulation.broken = true;
    simulation.join("a");
    await simulation.pass();
    assert.deepEqual([simulation.published.length, simulation.logged.length], [0, 1]);
    simulation.broken = false;
    simulation.join("b");
    await simulation.pass();
    assert.equal(simulation.published.flatMap(({ changes }) => changes).length, 2);
  });

  it("publishes a user again when the name or role changed", async () => {
    const simulation = new OnlinePublisherSimulation();
    simulation.join("user1");
    await simulation.pass();
    simulation.publisher.identityChanged("user1");
    await simulation.pass();
    simulation.publisher.changed();
    await simulation.pass();
    assert.deepEqual(namesTold(simulation), ["Name of user1", "Name of user1"]);
  });

  it("keeps the name of a user who left and rejoined between two events", async () => {
    const simulation = new OnlinePublisherSimulation();
    simulation.join("user1");
    await simulation.pass();
    simulation.leave("user1");
    simulation.clock.advance(100);
    simulation.join("user1");
    await simulation.pass();
    assert.deepEqual(namesTold(simulation), ["Name of user1", "Name of user1"]);
  });

  it("keeps the names of all when one is renamed while another is looked up", async () => {
    const simulation = new OnlinePublisherSimulation();
    simulation.join("user1");
    await simulation.pass();
    simulation.lookups = [];
    simulation.join("user2");
    await simulation.pass();
    simulation.names.set("user1", "Renamed");
    simulation.names.set("user2", "Renamed too");
    simulation.publisher.identityChanged("user1");
    simulation.publisher.identityChanged("user2");
    simulation.lookups.shift()!.end();
    simulation.lookups = null;
    await simulation.pass();
    await simulation.pass();
    assert.deepEqual(namesTold(simulation), [
      "Name of user1",
      "Name of user2",
      "Renamed",
      "Renamed too",
    ]);
  });

  it("looks up again by itself after a failure, and publishes the activity of before", async () => {
    const simulation = new OnlinePublisherSimulation();
    simulation.broken = true;
    simulation.join("user1");
    simulation.publisher.activityStored(noted("user1"));
    await simulation.pass();
    simulation.broken = false;
    assert.deepEqual(simulation.published, []);
    simulation.clock.advance(4_500);
    await simulation.pass();
    const types = simulation.published.flatMap(({ changes }) => changes).map(({ type }) => type);
    assert.deepEqual(types, ["activity", "joined"]);
    assert.equal(simulation.clock.timers, 0);
  });

  it("publishes a new name after the look-up of it failed", async () => {
    const simulation = new OnlinePublisherSimulation();
    simulation.join("user1");
    await simulation.pass();
    simulation.broken = true;
    simulation.names.set("user1", "Renamed");
    simulation.publisher.identityChanged("user1");
    await simulation.pass();
    simulation.broken = false;
    simulation.clock.advance(4_500);
    await simulation.pass();
    assert.deepEqual(namesTold(simulation), ["Name of user1", "Renamed"]);
  });

  it("keeps the latest 50 entries of the activity while look-ups fail", async () => {
    const simulation = new OnlinePublisherSimulation();
    simulation.broken = true;
    for (let index = 0; index < 60; index++) simulation.publisher.activityStored(noted(`${index}`));
    await simulation.pass();
    simulation.broken = false;
    simulation.clock.advance(5_000);
    await settled();
    const told = simulation.published.flatMap(({ changes }) => changes)
      .flatMap((change) => change.type === "activity" ? [change.entry.id] : []);
    assert.deepEqual(told, Array.from({ length: 50 }, (_, index) => `${index + 10}`));
  });

  it("does not look up again after a failure when no page is open any more", async () => {
    const simulation = new OnlinePublisherSimulation();
    simulation.broken = true;
    simulation.join("user1");
    await simulation.pass();
    simulation.watched = false;
    simulation.clock.advance(60_000);
    await simulation.pass();
    assert.deepEqual([simulation.logged.length, simulation.clock.timers], [1, 0]);
  });

  it("completes a snapshot, and publishes nothing, when the last page closes meanwhile", async () => {
    const simulation = new OnlinePublisherSimulation();
    simulation.lookups = [];
    simulation.join("user1");
    const snapshot = simulation.publisher.snapshot();
    await settled();
    simulation.watched = false;
    simulation.leave("user1");
    simulation.clock.advance(500);
    simulation.lookups.shift()!.end();
    assert.deepEqual((await snapshot).people.map(({ name }) => name), ["Name of user1"]);
    assert.deepEqual([simulation.published.length, simulation.clock.timers], [0, 0]);
  });

  it("gives every page the right names, whatever happens while names are looked up", async () => {
    const id = fc.constantFrom("user1", "user2", guest);
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.record({ join: id }) },
      { weight: 3, arbitrary: fc.record({ leave: id }) },
      { weight: 3, arbitrary: fc.record({ rename: id }) },
      { weight: 10, arbitrary: fc.constantFrom("pass", "pass", "end", "end", "fail") },
      { weight: 2, arbitrary: fc.constantFrom("openPage", "openPage", "closePage", "snapshot") },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const simulation = new OnlinePublisherSimulation();
        simulation.lookups = [];
        let page = new Page(simulation);
        let renames = 0;
        for (const step of steps) {
          if (typeof step === "string") {
            if (step === "pass") await simulation.pass();
            if (step === "end") simulation.lookups.shift()?.end();
            if (step === "fail") simulation.lookups.shift()?.fail();
            if (step === "openPage") page = new Page(simulation);
            if (step === "closePage") page.close();
            if (step === "snapshot") simulation.publisher.snapshot().catch(() => {});
            await settled();
          } else if ("join" in step) simulation.join(step.join);
          else if ("leave" in step) simulation.leave(step.leave);
          else {
            simulation.names.set(step.rename, `Renamed ${renames++}`);
            simulation.publisher.identityChanged(step.rename);
          }
        }
        if (!simulation.watched) page = new Page(simulation);
        const { lookups } = simulation;
        simulation.lookups = null;
        for (const { end } of lookups) end();
        for (let turn = 0; turn < 14; turn++) {
          simulation.clock.advance(500);
          await settled();
          page.read();
        }
        const shown = page.people!.byId.values().map(({ id, name }) => [id, name]);
        const actual = simulation.members.keys()
          .map((id) => [id, simulation.names.get(id) ?? `Name of ${id}`])
          .map(([id, name]) => [id, id === guest ? "Guest 3f2a" : name]);
        assert.deepEqual([...shown].sort(), [...actual].sort());
      }),
      { numRuns: 1_000 },
    );
  });

  it("lets a page know who is online from any snapshot and the events after it", async () => {
    const step = fc.oneof(
      { weight: 6, arbitrary: fc.record({ join: fc.constantFrom("user1", "user2", "x", guest) }) },
      { weight: 5, arbitrary: fc.record({ leave: fc.constantFrom("user1", "user2", "x", guest) }) },
      { weight: 3, arbitrary: fc.constant({ pass: true as const }) },
      { weight: 1, arbitrary: fc.constant({ watch: true as const }) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const simulation = new OnlinePublisherSimulation();
        let page = peopleOf(await simulation.publisher.snapshot());
        const read = () => {
          const next = withChanges(page, ...simulation.published.splice(0));
          assert.ok(next, "an event is missing");
          page = next;
        };
        for (const step of steps) {
          if ("join" in step) simulation.join(step.join);
          else if ("leave" in step) simulation.leave(step.leave);
          else if ("pass" in step) await simulation.pass();
          else {
            // The page reconnects: meanwhile no page was open.
            simulation.watched = false;
            simulation.publisher.changed();
            simulation.published.length = 0;
            simulation.watched = true;
            page = peopleOf(await simulation.publisher.snapshot());
          }
          read();
        }
        simulation.publisher.changed();
        await simulation.pass();
        read();
        const known = [...page.byId.values()].map(({ id, connections }) => [id, connections]);
        const actual = [...simulation.members.values()].map((member) => [
          member.userId,
          member.connections,
        ]);
        assert.deepEqual(known.sort(), actual.sort());
      }),
      { numRuns: 1_000 },
    );
  });
});
