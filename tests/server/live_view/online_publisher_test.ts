import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { type People, peopleOf, withChanges } from "@/components/live_view/people.ts";
import { OnlinePublisher } from "@/server/live_view/online_publisher.ts";
import type { LogEntry, PresentMember } from "@/realtime/server.ts";
import { ManualClock } from "../../realtime/manual_clock.ts";
import type { Activity, OnlineChanged } from "@/shared/online.ts";

/** A publisher with a world around it that the test moves by hand. */
class Stage {
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
  watched = true;
  broken = false;
  readonly publisher = new OnlinePublisher({
    channel: "presence-chart",
    members: () => {
      const members = [...this.members.values()].map((member) => ({ ...member }));
      return Promise.resolve({ members, missing: this.missing });
    },
    accountsOf: (ids) => this.#accountsOf(ids),
    source: () => this.source,
    isWatched: () => this.watched,
    publish: (changed) => this.published.push(structuredClone(changed)),
    clock: this.clock,
    log: (entry) => this.logged.push(entry),
  });

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
  readonly #stage: Stage;
  readonly #held: OnlineChanged[] = [];

  constructor(stage: Stage) {
    this.#stage = stage;
    stage.published.length = 0;
    stage.watched = true;
    void this.#ask();
  }

  async #ask(): Promise<void> {
    try {
      this.people = peopleOf(await this.#stage.publisher.snapshot());
    } catch {
      await this.#ask();
    }
  }

  read(): void {
    this.#held.push(...this.#stage.published.splice(0));
    if (!this.people) return;
    const next = withChanges(this.people, ...this.#held.splice(0));
    assert.ok(next, "an event is missing");
    this.people = next;
  }

  close(): void {
    this.#stage.watched = false;
    this.#stage.publisher.changed();
  }
}

/** Resolves when all that is ready has run. Quicker than a timer, of which there would be thousands. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 40; turn++) await Promise.resolve();
}

const namesTold = ({ published }: Stage) =>
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
    const stage = new Stage();
    for (const id of ["user1", "user2"]) stage.join(id);
    await stage.pass();
    const [user1, user2] = (await stage.publisher.snapshot()).people;
    stage.members.delete("user1");
    stage.missing = ["user1", "someone new"];
    stage.publisher.changed();
    await stage.pass();
    assert.deepEqual((await stage.publisher.snapshot()).people, [user1, user2]);
    stage.missing = [];
    stage.publisher.changed();
    await stage.pass();
    assert.deepEqual((await stage.publisher.snapshot()).people, [user2]);
  });

  it("publishes who joined, with name, role and kind of user", async () => {
    const stage = new Stage();
    for (const id of ["user1", guest, "42"]) stage.join(id);
    await stage.pass();
    const people = stage.published.flatMap(({ changes }) => changes)
      .map((change) => change.type === "joined" && { ...change.person, since: 0, lastSeenAt: 0 });
    const always = { since: 0, connections: 1, lastSeenAt: 0 };
    assert.deepEqual(people, [
      { id: "user1", kind: "user", name: "Name of user1", role: "user", ...always },
      { id: guest, kind: "guest", name: "Guest 3f2a", role: null, ...always },
      { id: "42", kind: "foreign", name: "42", role: null, ...always },
    ]);
  });

  it("publishes the page that a user's tab reported last, each that it shows and its end", async () => {
    const stage = new Stage();
    const page = new Page(stage);
    await settled();
    stage.join("42");
    const shown: unknown[] = [];
    for (const path of [undefined, "/a", "/a", "/b", undefined]) {
      const pages = path === undefined
        ? undefined
        : [{ path, device: "phone" as const, since: 9 }, {
          path: "/",
          device: undefined,
          since: 1,
        }];
      Object.assign(stage.members.get("42")!, { pages });
      stage.publisher.changed();
      await stage.pass();
      const changes = stage.published.flatMap(({ changes }) => changes).length;
      page.read();
      shown.push([changes, page.people?.byId.get("42")?.page?.path]);
    }
    assert.deepEqual(shown, [[1, undefined], [1, "/a"], [0, "/a"], [1, "/b"], [1, undefined]]);
  });

  it("publishes the app of its users while there are several, by its name of the time", async () => {
    const stage = new Stage();
    stage.join("42");
    stage.join("user1");
    await stage.pass();
    for (const source of ["Shop", "Store", undefined]) {
      stage.published.length = 0;
      stage.source = source;
      stage.publisher.changed();
      await stage.pass();
      const changed = stage.published.flatMap(({ changes }) => changes)
        .map((change) => change.type === "joined" && [change.person.id, change.person.source]);
      assert.deepEqual(changed, [["42", source]]);
      const { people } = await stage.publisher.snapshot();
      assert.deepEqual(people.map((person) => person.source), [source, undefined]);
    }
  });

  it("publishes many changes in one event, and none for changes that cancel out", async () => {
    const stage = new Stage();
    for (const id of ["a", "b", "c"]) stage.join(id);
    await stage.pass();
    assert.equal(stage.published.length, 1);
    stage.join("d");
    stage.leave("d");
    await stage.pass();
    assert.equal(stage.published.length, 1);
  });

  it("publishes the first change at once, then twice a second, however often people come and go", async () => {
    const stage = new Stage();
    stage.join("user0");
    stage.clock.advance(0);
    await settled();
    assert.equal(stage.published.length, 1);
    for (let joined = 1; joined < 10; joined++) {
      stage.clock.advance(100);
      stage.join(`user${joined}`);
      await settled();
    }
    assert.equal(stage.published.length, 2);
    stage.clock.advance(100);
    await settled();
    assert.equal(stage.published.length, 3);
    assert.equal(namesTold(stage).length, 10);
  });

  it("splits any number of changes into events that fit the protocol", async () => {
    const stage = new Stage();
    for (let index = 0; index < 1_000; index++) stage.join(`user${index}`);
    await stage.pass();
    const sizes = stage.published.map((event) => JSON.stringify(event).length);
    assert.ok(Math.max(...sizes) < 10_000, `${Math.max(...sizes)} bytes`);
    assert.equal(stage.published.flatMap(({ changes }) => changes).length, 1_000);
  });

  it("looks up, publishes and keeps nothing while no page is open", async () => {
    const stage = new Stage();
    stage.watched = false;
    stage.join("a");
    stage.publisher.activityStored(noted("a"));
    await stage.pass();
    assert.deepEqual([stage.published.length, stage.clock.timers], [0, 0]);
  });

  it("gives a new page a snapshot, and no event about those in it", async () => {
    const stage = new Stage();
    stage.watched = false;
    for (const id of ["a", "b"]) stage.join(id);
    stage.watched = true;
    const { version, people } = await stage.publisher.snapshot();
    assert.deepEqual([people.length, stage.published], [2, []]);
    stage.join("c");
    await stage.pass();
    assert.deepEqual(stage.published.map((event) => event.version), [version + 1]);
    assert.deepEqual(stage.published[0].changes.map(({ type }) => type), ["joined"]);
  });

  it("publishes every change after the database failed", async () => {
    const stage = new Stage();
    stage.broken = true;
    stage.join("a");
    await stage.pass();
    assert.deepEqual([stage.published.length, stage.logged.length], [0, 1]);
    stage.broken = false;
    stage.join("b");
    await stage.pass();
    assert.equal(stage.published.flatMap(({ changes }) => changes).length, 2);
  });

  it("publishes a user again when the name or role changed", async () => {
    const stage = new Stage();
    stage.join("user1");
    await stage.pass();
    stage.publisher.identityChanged("user1");
    await stage.pass();
    stage.publisher.changed();
    await stage.pass();
    assert.deepEqual(namesTold(stage), ["Name of user1", "Name of user1"]);
  });

  it("keeps the name of a user who left and rejoined between two events", async () => {
    const stage = new Stage();
    stage.join("user1");
    await stage.pass();
    stage.leave("user1");
    stage.clock.advance(100);
    stage.join("user1");
    await stage.pass();
    assert.deepEqual(namesTold(stage), ["Name of user1", "Name of user1"]);
  });

  it("keeps the names of all when one is renamed while another is looked up", async () => {
    const stage = new Stage();
    stage.join("user1");
    await stage.pass();
    stage.lookups = [];
    stage.join("user2");
    await stage.pass();
    stage.names.set("user1", "Renamed");
    stage.names.set("user2", "Renamed too");
    stage.publisher.identityChanged("user1");
    stage.publisher.identityChanged("user2");
    stage.lookups.shift()!.end();
    stage.lookups = null;
    await stage.pass();
    await stage.pass();
    assert.deepEqual(namesTold(stage), [
      "Name of user1",
      "Name of user2",
      "Renamed",
      "Renamed too",
    ]);
  });

  it("looks up again by itself after a failure, and publishes the activity of before", async () => {
    const stage = new Stage();
    stage.broken = true;
    stage.join("user1");
    stage.publisher.activityStored(noted("user1"));
    await stage.pass();
    stage.broken = false;
    assert.deepEqual(stage.published, []);
    stage.clock.advance(4_500);
    await stage.pass();
    const types = stage.published.flatMap(({ changes }) => changes).map(({ type }) => type);
    assert.deepEqual(types, ["activity", "joined"]);
    assert.equal(stage.clock.timers, 0);
  });

  it("publishes a new name after the look-up of it failed", async () => {
    const stage = new Stage();
    stage.join("user1");
    await stage.pass();
    stage.broken = true;
    stage.names.set("user1", "Renamed");
    stage.publisher.identityChanged("user1");
    await stage.pass();
    stage.broken = false;
    stage.clock.advance(4_500);
    await stage.pass();
    assert.deepEqual(namesTold(stage), ["Name of user1", "Renamed"]);
  });

  it("keeps the latest 50 entries of the activity while look-ups fail", async () => {
    const stage = new Stage();
    stage.broken = true;
    for (let index = 0; index < 60; index++) stage.publisher.activityStored(noted(`${index}`));
    await stage.pass();
    stage.broken = false;
    stage.clock.advance(5_000);
    await settled();
    const told = stage.published.flatMap(({ changes }) => changes)
      .flatMap((change) => change.type === "activity" ? [change.entry.id] : []);
    assert.deepEqual(told, Array.from({ length: 50 }, (_, index) => `${index + 10}`));
  });

  it("does not look up again after a failure when no page is open any more", async () => {
    const stage = new Stage();
    stage.broken = true;
    stage.join("user1");
    await stage.pass();
    stage.watched = false;
    stage.clock.advance(60_000);
    await stage.pass();
    assert.deepEqual([stage.logged.length, stage.clock.timers], [1, 0]);
  });

  it("completes a snapshot, and publishes nothing, when the last page closes meanwhile", async () => {
    const stage = new Stage();
    stage.lookups = [];
    stage.join("user1");
    const snapshot = stage.publisher.snapshot();
    await settled();
    stage.watched = false;
    stage.leave("user1");
    stage.clock.advance(500);
    stage.lookups.shift()!.end();
    assert.deepEqual((await snapshot).people.map(({ name }) => name), ["Name of user1"]);
    assert.deepEqual([stage.published.length, stage.clock.timers], [0, 0]);
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
        const stage = new Stage();
        stage.lookups = [];
        let page = new Page(stage);
        let renames = 0;
        for (const step of steps) {
          if (typeof step === "string") {
            if (step === "pass") await stage.pass();
            if (step === "end") stage.lookups.shift()?.end();
            if (step === "fail") stage.lookups.shift()?.fail();
            if (step === "openPage") page = new Page(stage);
            if (step === "closePage") page.close();
            if (step === "snapshot") stage.publisher.snapshot().catch(() => {});
            await settled();
          } else if ("join" in step) stage.join(step.join);
          else if ("leave" in step) stage.leave(step.leave);
          else {
            stage.names.set(step.rename, `Renamed ${renames++}`);
            stage.publisher.identityChanged(step.rename);
          }
        }
        if (!stage.watched) page = new Page(stage);
        const { lookups } = stage;
        stage.lookups = null;
        for (const { end } of lookups) end();
        for (let turn = 0; turn < 14; turn++) {
          stage.clock.advance(500);
          await settled();
          page.read();
        }
        const shown = page.people!.byId.values().map(({ id, name }) => [id, name]);
        const actual = stage.members.keys()
          .map((id) => [id, stage.names.get(id) ?? `Name of ${id}`])
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
        const stage = new Stage();
        let page = peopleOf(await stage.publisher.snapshot());
        const read = () => {
          const next = withChanges(page, ...stage.published.splice(0));
          assert.ok(next, "an event is missing");
          page = next;
        };
        for (const step of steps) {
          if ("join" in step) stage.join(step.join);
          else if ("leave" in step) stage.leave(step.leave);
          else if ("pass" in step) await stage.pass();
          else {
            // The page reconnects: meanwhile no page was open.
            stage.watched = false;
            stage.publisher.changed();
            stage.published.length = 0;
            stage.watched = true;
            page = peopleOf(await stage.publisher.snapshot());
          }
          read();
        }
        stage.publisher.changed();
        await stage.pass();
        read();
        const known = [...page.byId.values()].map(({ id, connections }) => [id, connections]);
        const actual = [...stage.members.values()].map((member) => [
          member.userId,
          member.connections,
        ]);
        assert.deepEqual(known.sort(), actual.sort());
      }),
      { numRuns: 1_000 },
    );
  });
});
