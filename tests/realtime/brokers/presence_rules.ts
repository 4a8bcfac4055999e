import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { App } from "@/realtime/app.ts";
import { departures } from "@/realtime/events/server_events.ts";
import { type RealtimeOptions, resolveOptions } from "@/realtime/options.ts";
import { asConnection, FakeConnection, strictListeners } from "../doubles.ts";
import { ManualClock } from "../manual_clock.ts";
import type { Received } from "../harness.ts";

const app = { id: "1", key: "key", secret: "secret" };

const room = "presence-room";

/** The expected behaviour in a few lines: open tabs by user, and until when one without is a member. */
class Model {
  readonly tabs = new Map<string, number>();
  readonly until = new Map<string, number>();
  open(user: string): void {
    this.tabs.set(user, (this.tabs.get(user) ?? 0) + 1);
  }
  close(user: string, deadline: number): void {
    this.tabs.set(user, this.tabs.get(user)! - 1);
    this.until.set(user, Math.max(this.until.get(user) ?? 0, deadline));
  }
  remove(user: string): void {
    this.tabs.delete(user);
    this.until.delete(user);
  }
  members(now: number): string[] {
    const users = new Set([...this.tabs.keys(), ...this.until.keys()]);
    const isMember = (user: string) =>
      (this.tabs.get(user) ?? 0) > 0 || (this.until.get(user) ?? 0) > now;
    return [...users].filter(isMember).sort();
  }
}

/** What an app is tested with, alone on its data. */
export interface TestedPresence {
  readonly broker?: RealtimeOptions["broker"];
  /** Lets the broker answer what was asked of it. */
  settle(): Promise<void>;
  /** Joins and leaves that were logged since the last call, in order; undefined: the app reports them. */
  takeLogged?(): Reported[];
  /** The server has ended: it has no users any more, and nothing goes on. */
  end(): Promise<void>;
}

/** What is reported of a member. */
export interface Reported {
  readonly name: string;
  readonly userId?: string;
}

const ways = ["unsubscribe", "close", "time out", "be refused"] as const;
type Way = typeof ways[number];

/** An app on a manual clock, and its model. */
class PresenceSimulation {
  readonly #events: Reported[] = [];
  readonly #tested: TestedPresence;
  readonly app: App;
  readonly model = new Model();
  open: FakeConnection[] = [];
  readonly watcher: FakeConnection;
  isDraining = false;
  #opened = 0;

  private constructor(
    readonly graceMs: number,
    readonly clock: ManualClock,
    tested: TestedPresence,
  ) {
    this.#tested = tested;
    const listeners = strictListeners();
    listeners.serverEvents.add((event) => this.#events.push(event));
    const { broker } = tested;
    const options = { apps: [app], clock, presenceGraceMs: graceMs, ...broker && { broker } };
    this.app = new App(app, resolveOptions(options), listeners);
    this.watcher = this.join("watcher");
  }

  static async start(graceMs: number, begin: Begin): Promise<PresenceSimulation> {
    const clock = new ManualClock();
    const simulation = new PresenceSimulation(graceMs, clock, await begin(clock));
    await simulation.settle();
    return simulation;
  }

  /** Lets everything happen that waits for no time. */
  async settle(): Promise<void> {
    await this.#tested.settle();
    this.clock.advance(0);
  }

  /** Lets time pass. */
  async wait(milliseconds: number): Promise<void> {
    this.clock.advance(milliseconds);
    await this.settle();
  }

  /** What was reported since the last call. */
  takeReported(): Reported[] {
    return this.#tested.takeLogged?.() ?? this.#events.splice(0);
  }

  /** The app's server ends. */
  end(): Promise<void> {
    return this.#tested.end();
  }

  join(userId: string): FakeConnection {
    const fake = new FakeConnection(`1.${this.#opened++}`, userId, this.app);
    this.model.open(userId);
    const info = JSON.stringify({ id: userId });
    this.app.opened(asConnection(fake));
    this.app.hub.subscribe(asConnection(fake), room, { id: userId, info });
    return fake;
  }

  leave(index: number, way: Way): void {
    const [fake] = this.open.splice(index % this.open.length, 1);
    const hasGrace = (way === "close" || way === "be refused") ||
      (this.isDraining && way === "time out");
    const graceMs = this.isDraining ? Infinity : this.graceMs;
    this.model.close(fake.userId, this.clock.now() + (hasGrace ? graceMs : 0));
    const connection = asConnection(fake);
    if (way === "unsubscribe") this.app.hub.unsubscribe(connection, room);
    else this.app.released(connection, departureOf[way]);
    this.app.released(connection, departures.timedOut);
  }

  remove(userId: string): void {
    this.open = this.open.filter((fake) => fake.userId !== userId);
    this.model.remove(userId);
    this.app.connections.closeUser(userId);
  }

  drain(): void {
    this.isDraining = true;
    for (const [user, until] of this.model.until) {
      if (until > this.clock.now()) this.model.until.set(user, Infinity);
    }
    this.app.pause();
  }
}

const departureOf = {
  close: departures.closed,
  "time out": departures.timedOut,
  "be refused": departures.refused,
};

type Step =
  | { open: string }
  | { leave: number; way: Way }
  | { wait: number }
  | { remove: string }
  | "drain";

const users = fc.constantFrom("a", "b", "c", "__proto__", "constructor", "10");
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 40, arbitrary: fc.record({ open: users }) },
    { weight: 40, arbitrary: fc.record({ leave: fc.nat(20), way: fc.constantFrom(...ways) }) },
    { weight: 30, arbitrary: fc.record({ wait: fc.integer({ min: 1, max: 1_500 }) }) },
    { weight: 5, arbitrary: fc.record({ remove: users }) },
    { weight: 1, arbitrary: fc.constant("drain" as const) },
  ),
  { maxLength: 60 },
);

async function take(step: Step, simulation: PresenceSimulation): Promise<void> {
  if (step === "drain") simulation.drain();
  else if ("wait" in step) simulation.clock.advance(step.wait);
  else if ("remove" in step) simulation.remove(step.remove);
  else if ("open" in step) {
    const fake = simulation.join(step.open);
    simulation.open.push(fake);
    await simulation.settle();
    checkList(fake.frames[0], simulation);
  } else if (simulation.open.length > 0) simulation.leave(step.leave, step.way);
  await simulation.settle();
}

async function check(todo: Step[], graceMs: number, begin: Begin): Promise<void> {
  const simulation = await PresenceSimulation.start(graceMs, begin);
  const seen = new Set(["watcher"]);
  const reported = new Set<string>();
  for (const step of todo) {
    await take(step, simulation);
    const members = simulation.model.members(simulation.clock.now());
    follow(simulation.watcher.frames.splice(0), seen);
    assert.deepEqual([...seen].sort(), members);
    const absent = members.filter((user) => !simulation.model.tabs.get(user));
    assert.equal(simulation.app.hub.presence(room)?.tracker.absent, absent.length);
    report(simulation.takeReported(), reported);
    assert.deepEqual([...reported].sort(), members);
  }
  for (const { userId } of [...simulation.open]) simulation.remove(userId);
  simulation.remove("watcher");
  if (!simulation.isDraining) await simulation.wait(graceMs);
  else simulation.app.stop();
  await simulation.settle();
  for (const [name, size] of Object.entries(simulation.app.stats())) assert.equal(size, 0, name);
  await simulation.end();
  report(simulation.takeReported(), reported);
  assert.deepEqual([...reported], []);
  assert.equal(simulation.clock.timers, 0);
}

/** Applies frames as a client does: no member is added twice or removed without being there. */
function follow(frames: Received[], seen: Set<string>): void {
  for (const { event, data } of frames) {
    if (event === "pusher_internal:member_added") {
      assert.ok(!seen.has(data.user_id), `${data.user_id} was added twice`);
      seen.add(data.user_id);
    } else if (event === "pusher_internal:member_removed") {
      assert.ok(seen.delete(data.user_id), `${data.user_id} was removed twice`);
    }
  }
}

/** Applies server events as a receiver of webhooks does. */
function report(events: readonly Reported[], members: Set<string>): void {
  for (const { name, userId = "" } of events) {
    if (name === "member_added") {
      assert.ok(!members.has(userId), `${userId} was reported twice`);
      members.add(userId);
    } else if (name === "member_removed") {
      assert.ok(members.delete(userId), `${userId} was reported as removed twice`);
    }
  }
}

/** Asserts that the list has the members of the model, and as its count the keys of its hash. */
function checkList({ data: { presence } }: Received, simulation: PresenceSimulation): void {
  assert.equal(presence.count, Object.keys(presence.hash).length);
  assert.deepEqual(Object.keys(presence.hash).sort(), presence.ids.toSorted());
  assert.deepEqual(presence.ids.toSorted(), simulation.model.members(simulation.clock.now()));
}

type Begin = (clock: ManualClock) => Promise<TestedPresence>;

/** Tests what every broker makes of joins and leaves. @param begin is called once for each order of steps */
export function describePresence(name: string, numRuns: number, begin: Begin): void {
  describe(`The members of a presence channel over ${name}`, () => {
    for (const graceMs of [1_000, 0]) {
      it(`are the model's in any order of steps, with a leave grace of ${graceMs} ms`, async () => {
        const property = fc.asyncProperty(steps, (todo) => check(todo, graceMs, begin));
        await fc.assert(property, { numRuns });
      });
    }
  });
}
