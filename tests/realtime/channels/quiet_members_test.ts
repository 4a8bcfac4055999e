import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { AppApi } from "@/realtime/api/app_api.ts";
import { App } from "@/realtime/app.ts";
import { memberCounts } from "@/realtime/channels/counts.ts";
import { LimitCounters } from "@/realtime/connections/limit_counters.ts";
import { departures, type ServerEvent } from "@/realtime/events/server_events.ts";
import { resolveOptions } from "@/realtime/options.ts";
import { asConnection, FakeConnection, strictListeners } from "../doubles.ts";
import { ManualClock } from "../manual_clock.ts";
import { app, type Received } from "../harness.ts";

const room = "presence-room";

const isGuest = (userId: string) => userId.startsWith("guest");

const ways = { unsubscribe: null, close: departures.closed, "time out": departures.timedOut };
type Way = keyof typeof ways;

/** A connection of a user, what its client believes, and what it may be sent. */
class Tab {
  /** Whom its client believes to be in the room. */
  members = new Set<string>();
  /** The number that its client was sent last, and when. */
  count: { users: number; guests?: number; as_of: number } | undefined;
  readonly events: unknown[] = [];

  constructor(readonly fake: FakeConnection, readonly userId: string, public isQuiet: boolean) {}

  /** Reads what came. */
  read(): void {
    for (const frame of this.fake.frames.splice(0)) this.#take(frame);
  }

  #take({ event, data }: Received): void {
    if (event === "pusher_internal:subscription_succeeded") {
      const { count, hash, ids } = data.presence;
      assert.deepEqual([Object.keys(hash).sort(), count], [ids.toSorted(), ids.length]);
      this.members = new Set(ids);
    } else if (event === "pusher_internal:member_added") {
      assert.ok(!this.isQuiet && !this.members.has(data.user_id));
      this.members.add(data.user_id);
    } else if (event === "pusher_internal:member_removed") {
      assert.ok(!this.isQuiet && this.members.delete(data.user_id));
    } else if (event === "rollcall:count") {
      assert.ok(this.isQuiet);
      this.count = data;
    } else this.events.push(data);
  }
}

/** A room of quiet and full connections on a manual clock, and who should be in it. */
class QuietRoomSimulation {
  readonly clock = new ManualClock();
  readonly app: App;
  readonly api: AppApi;
  readonly reported = new Set<string>();
  readonly tabs: Tab[] = [];
  /** Until when a user without a connection stays. */
  readonly #until = new Map<string, number>();
  #opened = 0;

  constructor(readonly graceMs: number) {
    const listeners = strictListeners();
    listeners.serverEvents.add((event) => this.#report(event));
    const options = { apps: [app], clock: this.clock, presenceGraceMs: graceMs, isGuest };
    this.app = new App(app, resolveOptions(options), listeners);
    this.api = new AppApi(this.app, this.clock, new LimitCounters(() => {}));
  }

  #report(event: ServerEvent): void {
    if (event.name === "member_added") {
      assert.ok(!this.reported.has(event.userId));
      this.reported.add(event.userId);
    } else if (event.name === "member_removed") assert.ok(this.reported.delete(event.userId));
  }

  join(userId: string, isQuiet: boolean): Tab {
    const fake = new FakeConnection(`1.${this.#opened++}`, userId, this.app);
    const tab = new Tab(fake, userId, isQuiet);
    this.app.opened(asConnection(fake));
    this.#subscribe(tab);
    this.tabs.push(tab);
    return tab;
  }

  #subscribe({ fake, isQuiet, userId }: Tab): void {
    const member = {
      id: userId,
      info: JSON.stringify({ id: userId }),
      options: { quiet: isQuiet },
    };
    assert.equal(this.app.hub.subscribe(asConnection(fake), room, member), undefined);
  }

  /** The client leaves and joins again with the other flag. */
  change(tab: Tab): void {
    tab.read();
    this.app.hub.unsubscribe(asConnection(tab.fake), room);
    tab.isQuiet = !tab.isQuiet;
    this.#subscribe(tab);
  }

  leave(index: number, way: Way): void {
    const [tab] = this.tabs.splice(index % this.tabs.length, 1);
    if (way === "close") {
      const until = this.clock.now() + this.graceMs;
      this.#until.set(tab.userId, Math.max(this.#until.get(tab.userId) ?? 0, until));
    }
    const departure = ways[way];
    if (!departure) this.app.hub.unsubscribe(asConnection(tab.fake), room);
    this.app.released(asConnection(tab.fake), departure ?? departures.closed);
  }

  remove(userId: string): void {
    this.tabs.splice(0, Infinity, ...this.tabs.filter((tab) => tab.userId !== userId));
    this.#until.delete(userId);
    this.app.connections.closeUser(userId);
  }

  get members(): string[] {
    const staying = [...this.#until].filter(([, until]) => until > this.clock.now());
    const users = [...this.tabs.map(({ userId }) => userId), ...staying.map(([userId]) => userId)];
    return [...new Set(users)].sort();
  }

  /** Asserts that every client believes what is so. */
  async check(): Promise<void> {
    const { members } = this;
    for (const tab of this.tabs) {
      tab.read();
      assert.deepEqual([...tab.members].sort(), tab.isQuiet ? [tab.userId] : members);
      if (!tab.isQuiet) continue;
      const { users, guests = 0 } = tab.count ?? {};
      assert.deepEqual([users, guests], [members.length, members.filter(isGuest).length]);
    }
    assert.deepEqual([...this.reported].sort(), members);
    assert.deepEqual((await this.api.users(room)).sort(), members);
    assert.deepEqual(this.app.presence.members(room).map(({ userId }) => userId).sort(), members);
    const connections = this.tabs.length +
      members.filter((id) => !this.tabs.some((tab) => tab.userId === id)).length;
    if (members.length === 0) return;
    const size = { userCount: members.length, subscriptionCount: connections };
    assert.deepEqual(await this.api.channel(room), size);
  }

  /** All leave; asserts that nothing of them is kept. */
  end(): void {
    while (this.tabs.length > 0) this.leave(0, "close");
    this.clock.advance(Math.max(this.graceMs, 1_000));
    for (const [name, size] of Object.entries(this.app.stats())) assert.equal(size, 0, name);
    assert.equal(this.clock.timers, 0);
  }
}

type Step =
  | { join: string; isQuiet: boolean }
  | { leave: number; way: Way }
  | { change: number }
  | { wait: number }
  | { remove: string };

const user = fc.constantFrom("ann", "bob", "guest-1", "guest-2", "__proto__");
const way = fc.constantFrom(...Object.keys(ways) as Way[]);
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ join: user, isQuiet: fc.boolean() }) },
    { weight: 4, arbitrary: fc.record({ leave: fc.nat(120), way }) },
    { weight: 3, arbitrary: fc.record({ change: fc.nat(120) }) },
    { weight: 2, arbitrary: fc.record({ wait: fc.integer({ min: 1, max: 1_500 }) }) },
    { weight: 1, arbitrary: fc.record({ remove: user }) },
  ),
  { maxLength: 40 },
);

function take(step: Step, simulation: QuietRoomSimulation): void {
  if ("join" in step) simulation.join(step.join, step.isQuiet);
  else if ("wait" in step) simulation.clock.advance(step.wait);
  else if ("remove" in step) simulation.remove(step.remove);
  else if (simulation.tabs.length === 0) return;
  else if ("leave" in step) simulation.leave(step.leave, step.way);
  else simulation.change(simulation.tabs[step.change % simulation.tabs.length]);
}

describe("quiet and full connections of the same users", () => {
  for (const graceMs of [1_000, 0]) {
    it(`believe what is so after any step in a small room, with a grace of ${graceMs} ms`, async () => {
      await fc.assert(
        fc.asyncProperty(steps, async (todo) => {
          const simulation = new QuietRoomSimulation(graceMs);
          for (const step of todo) {
            take(step, simulation);
            simulation.clock.advance(0);
            await simulation.check();
          }
          simulation.end();
        }),
        { numRuns: 1_000 },
      );
    });
  }

  it("believe what is so a second after the last change in a large room", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { maxLength: 4 }), async (rounds) => {
        const simulation = new QuietRoomSimulation(300);
        for (let index = 0; index < 101; index++) simulation.join(`user-${index}`, true);
        for (const todo of rounds) {
          for (const step of todo) take(step, simulation);
          simulation.clock.advance(simulation.graceMs + 1_000);
          await simulation.check();
        }
        simulation.end();
      }),
      { numRuns: 50 },
    );
  });
});

describe("a quiet member", () => {
  it("is sent itself, the number, and events of the channel, and no one else's changes", () => {
    const simulation = new QuietRoomSimulation(0);
    simulation.join("ann", false);
    simulation.clock.advance(7);
    const { fake } = simulation.join("bob", true);
    simulation.clock.advance(0);
    simulation.app.publish(room, "news", { text: "hello" });
    const before = fake.frames.splice(0);
    const list = { ids: ["bob"], hash: { bob: { id: "bob" } }, count: 1 };
    assert.deepEqual(before, [
      {
        event: "pusher_internal:subscription_succeeded",
        channel: room,
        data: { presence: list },
      },
      { event: "rollcall:count", channel: room, data: { users: 2, as_of: 7 } },
      { event: "news", channel: room, data: { text: "hello" } },
    ]);
    simulation.clock.advance(1);
    simulation.join("cem", true);
    simulation.clock.advance(0);
    simulation.leave(0, "unsubscribe");
    simulation.clock.advance(0);
    assert.deepEqual(fake.frames, [
      { event: "rollcall:count", channel: room, data: { users: 3, as_of: 8 } },
      { event: "rollcall:count", channel: room, data: { users: 2, as_of: 8 } },
    ]);
  });

  it("is told how many are guests, also when one comes as a user goes", () => {
    const simulation = new QuietRoomSimulation(0);
    const { fake } = simulation.join("ann", true);
    simulation.join("bob", false);
    simulation.clock.advance(0);
    fake.frames.length = 0;
    simulation.leave(1, "unsubscribe");
    simulation.join("guest-1", false);
    simulation.clock.advance(0);
    assert.deepEqual(fake.frames, [
      { event: "rollcall:count", channel: room, data: { users: 2, guests: 1, as_of: 0 } },
    ]);
  });

  it("in a room of over 100 is sent the number at most once a second, and the last one", () => {
    const simulation = new QuietRoomSimulation(0);
    for (let index = 0; index < 100; index++) simulation.join(`user-${index}`, true);
    simulation.clock.advance(0);
    const { fake } = simulation.tabs[0];
    const counts = () => fake.frames.splice(0).map(({ data: { users, as_of } }) => [users, as_of]);
    counts();
    for (let index = 100; index < 110; index++) {
      simulation.join(`user-${index}`, true);
      simulation.clock.advance(10);
    }
    assert.deepEqual(counts(), [[101, 0]]);
    assert.equal(
      simulation.tabs.at(-1)?.fake.frames[1].data.users,
      110,
      "one who joins is sent it at once",
    );
    simulation.clock.advance(899);
    assert.deepEqual(counts(), []);
    simulation.clock.advance(1);
    assert.deepEqual(counts(), [[110, 1_000]]);
    simulation.clock.advance(1_000);
    assert.deepEqual([counts(), simulation.clock.timers], [[], 0]);
    simulation.leave(109, "unsubscribe");
    simulation.clock.advance(0);
    assert.deepEqual(counts(), [[109, 2_000]], "the first change after a calm second");
    for (let index = 108; index >= 99; index--) simulation.leave(index, "unsubscribe");
    simulation.clock.advance(0);
    assert.deepEqual(counts(), [[99, 2_000]], "a small room again");
    assert.equal(simulation.clock.timers, 0);
  });

  it("of a room of over 100 members is sent the number in intervals, however few are quiet", () => {
    const simulation = new QuietRoomSimulation(0);
    for (let index = 0; index < 101; index++) simulation.join(`user-${index}`, false);
    const { fake } = simulation.join("ann", true);
    simulation.clock.advance(0);
    simulation.join("bob", false);
    simulation.clock.advance(500);
    assert.deepEqual(fake.frames.map(({ data }) => data.users), [undefined, 102]);
    simulation.clock.advance(500);
    assert.deepEqual(fake.frames.map(({ data }) => data.users), [undefined, 102, 103]);
  });

  it("of a room of 100,000 is sent the number every five seconds", () => {
    const clock = new ManualClock();
    const sent: number[] = [];
    const quiet = { size: 100_000, sendCount: () => sent.push(clock.now()) };
    const channel = { quiet, members: { size: 100_000 } };
    const counts = memberCounts<typeof channel>(clock);
    for (let second = 0; second <= 10; second++) {
      counts.changed(channel);
      clock.advance(1_000);
    }
    assert.deepEqual(sent, [0, 5_000, 10_000]);
    counts.stop();
    assert.equal(clock.timers, 0);
  });

  it("that left in the turn in which it joined is sent no number", () => {
    const simulation = new QuietRoomSimulation(0);
    simulation.join("bob", false);
    const { fake } = simulation.join("ann", true);
    simulation.leave(1, "unsubscribe");
    simulation.clock.advance(1_000);
    assert.equal(fake.frames.length, 1);
    simulation.end();
  });

  it("is shown to admins with its connections and its last sign of life", () => {
    const simulation = new QuietRoomSimulation(0);
    const { fake } = simulation.join("ann", true);
    simulation.clock.advance(30_000);
    Object.assign(fake, { lastFrameAt: 28_000 });
    const [{ connections, lastSeenAt }] = simulation.app.presence.members(room);
    assert.deepEqual([connections, lastSeenAt], [1, 28_000]);
  });

  it("is shown to admins with the page that its client reports", () => {
    const simulation = new QuietRoomSimulation(0);
    const { fake } = simulation.join("ann", true);
    const page = { path: "/shop", device: "desktop" as const, since: 0 };
    fake.subscriptions.get(room).page = page;
    assert.deepEqual([...simulation.app.presence.openPages(room)], [[page]]);
    simulation.end();
  });

  it("does not take the place of the user's full connection when it leaves", () => {
    const simulation = new QuietRoomSimulation(0);
    simulation.join("ann", false);
    simulation.join("ann", true);
    simulation.leave(1, "unsubscribe");
    assert.equal(simulation.app.hub.presence(room)?.tracker.fullMembers.size, 1);
    simulation.leave(0, "unsubscribe");
    simulation.end();
  });

  it("costs full members nothing but its join and its leave, however many are told the number", () => {
    const simulation = new QuietRoomSimulation(0);
    const { fake } = simulation.join("ann", false);
    for (let index = 0; index < 300; index++) simulation.join(`user-${index}`, true);
    assert.equal(fake.frames.length, 301);
    assert.equal(simulation.app.stats().quiet, 300);
  });

  it("that observes is sent an empty list and the number, and is counted nowhere", async () => {
    const simulation = new QuietRoomSimulation(0);
    simulation.join("ann", false);
    const fake = new FakeConnection("2.1", "eve", simulation.app);
    simulation.app.opened(asConnection(fake));
    const options = { observe: true, quiet: true };
    simulation.app.hub.subscribe(asConnection(fake), room, { id: "eve", info: "{}", options });
    simulation.clock.advance(0);
    assert.deepEqual(fake.frames.map(({ data }) => data), [
      { presence: { ids: [], hash: {}, count: 0 } },
      { users: 1, as_of: 0 },
    ]);
    await simulation.check();
    simulation.app.released(asConnection(fake), departures.closed);
    simulation.end();
  });
});

describe("full members", () => {
  it("are told who left once all have left who leave at once, so that users who left are sent nothing", () => {
    const simulation = new QuietRoomSimulation(0);
    const fakes = Array.from({ length: 50 }, (_, id) => simulation.join(`user-${id}`, false).fake);
    for (const { frames } of fakes) frames.length = 0;
    for (let left = 0; left < 40; left++) simulation.leave(0, "close");
    simulation.clock.advance(0);
    assert.deepEqual(fakes.map(({ frames }) => frames.length), [
      ...Array(40).fill(0),
      ...Array(10).fill(40),
    ]);
    simulation.end();
  });

  it("are sent a departure before an event and before a newcomer's list", async () => {
    const simulation = new QuietRoomSimulation(0);
    const { fake } = simulation.join("ann", false);
    simulation.join("bob", false);
    simulation.leave(1, "unsubscribe");
    simulation.app.publish(room, "news", {});
    simulation.join("cem", true);
    simulation.leave(1, "unsubscribe");
    simulation.join("dan", false);
    assert.deepEqual(fake.frames.slice(1).map(({ event }) => event.split(":").at(-1)), [
      "member_added",
      "member_removed",
      "news",
      "member_added",
      "member_removed",
      "member_added",
    ]);
    await simulation.check();
  });
});
