import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { AppApi } from "@/realtime/api/app_api.ts";
import { App } from "@/realtime/app.ts";
import { LocalBroker } from "@/realtime/brokers/local_broker.ts";
import { PresenceChannel } from "@/realtime/channels/presence_channel.ts";
import { LeaveGrace } from "@/realtime/channels/presence_tracker.ts";
import { LimitCounters } from "@/realtime/connections/limit_counters.ts";
import { departures, type ServerEvent } from "@/realtime/events/server_events.ts";
import { resolveOptions } from "@/realtime/options.ts";
import { signChannel, signUser } from "@/realtime/protocol/signature.ts";
import { webhookEvent } from "@/realtime/webhooks/webhook_options.ts";
import { asConnection, FakeConnection, strictListeners } from "../doubles.ts";
import { ManualClock } from "../manual_clock.ts";
import { app, Harness } from "../harness.ts";

/** A cache channel: an observer gets its event, and a missing one is not reported for it. */
const room = "presence-cache-room";

const ways = {
  unsubscribe: null,
  close: departures.closed,
  "time out": departures.timedOut,
} as const;
const way = fc.constantFrom(...Object.keys(ways) as (keyof typeof ways)[]);
const user = fc.constantFrom("ann", "bob", "__proto__");

type Way = keyof typeof ways;
type Step =
  | { join: string }
  | { leave: number; way: Way }
  | { observe: string }
  | { stopObserving: number; way: Way }
  | { publish: number; except: number }
  | { wait: number }
  | { remove: string };

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ join: user }) },
    { weight: 4, arbitrary: fc.record({ leave: fc.nat(20), way }) },
    { weight: 3, arbitrary: fc.record({ observe: user }) },
    { weight: 2, arbitrary: fc.record({ stopObserving: fc.nat(20), way }) },
    { weight: 2, arbitrary: fc.record({ publish: fc.nat(9), except: fc.nat(20) }) },
    { weight: 2, arbitrary: fc.record({ wait: fc.integer({ min: 1, max: 1_500 }) }) },
    { weight: 1, arbitrary: fc.record({ remove: user }) },
  ),
  { maxLength: 40 },
);

/** An app with members and observers, on a manual clock. */
class ObserversSimulation {
  readonly clock = new ManualClock();
  readonly events: ServerEvent[] = [];
  readonly counts: unknown[] = [];
  readonly app: App;
  readonly api: AppApi;
  /** All that ever joined. */
  readonly all: FakeConnection[] = [];
  members: FakeConnection[] = [];
  observers: FakeConnection[] = [];
  #opened = 0;
  #observed = 0;

  constructor(graceMs: number) {
    const listeners = strictListeners();
    listeners.serverEvents.add((event) => this.events.push(event));
    const options = resolveOptions({ apps: [app], clock: this.clock, presenceGraceMs: graceMs });
    this.app = new App(app, options, listeners);
    this.app.listeners.presence.add(room, (counts) => this.counts.push(counts));
    this.api = new AppApi(this.app, this.clock, new LimitCounters(() => {}));
  }

  open(id: string, userId: string, observe: boolean): FakeConnection {
    const fake = new FakeConnection(id, userId, this.app);
    this.app.opened(asConnection(fake));
    const member = { id: userId, info: JSON.stringify({ id: userId }), options: { observe } };
    assert.equal(this.app.hub.subscribe(asConnection(fake), room, member), undefined);
    return fake;
  }

  join(userId: string): void {
    const fake = this.open(`1.${this.#opened++}`, userId, false);
    this.all.push(fake);
    this.members.push(fake);
  }

  observe(userId: string): void {
    this.observers.push(this.open(`2.${this.#observed++}`, userId, true));
  }

  end(fake: FakeConnection, how: Way): void {
    const departure = ways[how];
    if (!departure) this.app.hub.unsubscribe(asConnection(fake), room);
    this.app.released(asConnection(fake), departure ?? departures.closed);
  }

  /** What everyone but an observer can know. */
  async known() {
    const { api } = this;
    return {
      frames: this.all.map(({ frames }) => frames),
      events: this.events.map((event) => [event, webhookEvent(event, 0)]),
      counts: this.counts.slice(),
      presence: this.app.presence.of(room),
      memberIndex: this.app.presence.members(room).map(({ lastSeenAt: _, ...member }) => member),
      isOccupied: this.app.isOccupied(room),
      api: [await api.channels(), await api.channel(room), await api.users(room)],
    };
  }
}

function take(step: Step, simulation: ObserversSimulation): void {
  carryOut(step, simulation);
  simulation.clock.advance(0);
}

function carryOut(step: Step, simulation: ObserversSimulation): void {
  if ("join" in step) simulation.join(step.join);
  else if ("observe" in step) simulation.observe(step.observe);
  else if ("wait" in step) simulation.clock.advance(step.wait);
  else if ("publish" in step) {
    const except = simulation.members[step.except % simulation.members.length]?.id;
    simulation.app.publish(room, "news", { number: step.publish }, except);
  } else if ("remove" in step) {
    const isOther = ({ userId }: FakeConnection) => userId !== step.remove;
    simulation.members = simulation.members.filter(isOther);
    simulation.observers = simulation.observers.filter(isOther);
    simulation.app.connections.closeUser(step.remove);
  } else {
    const [list, index] = "leave" in step
      ? [simulation.members, step.leave]
      : [simulation.observers, step.stopObserving];
    if (list.length > 0) simulation.end(list.splice(index % list.length, 1)[0], step.way);
  }
}

describe("observers of a presence channel", () => {
  for (const graceMs of [1_000, 0]) {
    it(`change nothing for others in any order of steps, with a grace of ${graceMs} ms`, async () => {
      await fc.assert(
        fc.asyncProperty(steps, async (todo) => {
          const [observed, alone] = [
            new ObserversSimulation(graceMs),
            new ObserversSimulation(graceMs),
          ];
          for (const step of todo) {
            take(step, observed);
            if (!("observe" in step || "stopObserving" in step)) take(step, alone);
            assert.deepEqual(await observed.known(), await alone.known());
          }
        }),
        { numRuns: 500 },
      );
    });
  }

  it("receive the member list, and then what every member receives, in any order of steps", () => {
    fc.assert(
      fc.property(steps, (todo) => {
        const simulation = new ObserversSimulation(1_000);
        simulation.join("witness");
        const witness = simulation.members.pop()!;
        /** How many frames an observer and the witness had received when the observer was let in. */
        const start = new Map<FakeConnection, [own: number, witness: number]>();
        for (const step of todo) {
          take(step, simulation);
          for (const observer of simulation.observers) {
            if (!start.has(observer)) {
              assert.deepEqual(
                observer.frames[0].data.presence.ids.toSorted(),
                simulation.app.presence.of(room).userIds.sort(),
              );
              start.set(observer, [observer.frames.length, witness.frames.length]);
            }
            const [own, others] = start.get(observer)!;
            assert.deepEqual(observer.frames.slice(own), witness.frames.slice(others));
          }
          assert.equal(simulation.app.stats().waiting, 0);
        }
        for (const fake of [...simulation.observers, ...simulation.members, witness]) {
          simulation.end(fake, "unsubscribe");
        }
        simulation.clock.advance(1_000);
        const { cachedEvents: _, cachedBytes: __, listenedTo: ___, ...stats } = simulation.app
          .stats();
        for (const [name, size] of Object.entries(stats)) assert.equal(size, 0, name);
      }),
      { numRuns: 500 },
    );
  });

  it("wait for the list of a broker that answers later", () => {
    const frames: string[] = [];
    const clock = new ManualClock();
    const channel = new PresenceChannel("presence-room", {
      broker: new LocalBroker({ clock, emit() {}, maxCacheBytes: () => 0 }),
      isGuest: () => false,
      maxMembers: () => 0,
      maxFullMembers: () => 0,
      refused() {},
      sized() {},
      expired() {},
      changed() {},
      endsTick() {},
      counted() {},
      memberChanged() {},
      activityChanged() {},
      activityOf: () => undefined,
      published() {},
      joined: () => frames.push("joined"),
      clock,
      grace: new LeaveGrace(0, clock),
    });
    const observer = {
      id: "1.1",
      send() {},
      sendLogged() {},
      unfollow() {},
      sendList: () => frames.push("list"),
    };
    channel.observe(observer);
    assert.deepEqual([frames, channel.isEmpty, channel.waiting], [[], false, 1]);
    channel.onSnapshot({ version: 1, members: [] });
    assert.deepEqual([frames, channel.isEmpty, channel.connections], [
      ["list", "joined"],
      false,
      0,
    ]);
  });

  const data = JSON.stringify({ user_id: "eve", rollcall: { observe: true } });

  for (const bySignIn of [false, true]) {
    const where = bySignIn ? "user_data" : "channel_data";
    it(`are connections whose signed ${where} says so, and can send no client events`, async () => {
      await using harness = new Harness({ rules: { clientEvents: true, presenceMaxMembers: 1 } });
      const ann = await harness.member("ann");
      const eve = await harness.connect();
      if (bySignIn) {
        const user_data = data.replace("user_id", "id");
        eve.send("pusher:signin", { auth: signUser(app, eve.socketId, user_data), user_data });
      }
      const signed = bySignIn ? undefined : data;
      const auth = signChannel(app, eve.socketId, "presence-room", signed);
      eve.subscribe("presence-room", auth, signed);
      const list = await eve.next("pusher_internal:subscription_succeeded");
      assert.deepEqual(list.data.presence.ids, ["ann"]);
      eve.sendRaw(JSON.stringify({ event: "client-typing", channel: "presence-room", data: {} }));
      const [error] = await eve.settled();
      assert.deepEqual(error.data.message, "Observers cannot send client events");
      assert.deepEqual(await ann.settled(), []);
      assert.deepEqual(harness.app.presence.of("presence-room"), {
        userIds: ["ann"],
        users: 1,
        connections: 1,
      });
    });
  }
});
