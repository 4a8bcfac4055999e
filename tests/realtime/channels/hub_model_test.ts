import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import type { Connection } from "../../../realtime/connections/connection.ts";
import type { LateList } from "../../../realtime/connections/send_queue.ts";
import type { Frame } from "../../../realtime/protocol/frame.ts";
import { appSettings } from "../../../realtime/app_config.ts";
import { Hub } from "../../../realtime/channels/hub.ts";
import { LocalBroker } from "../../../realtime/brokers/local_broker.ts";
import { ManualClock } from "../manual_clock.ts";
import { app, type Received } from "../rig.ts";

const room = "presence-room";
const graceMs = 1_000;

/** The expected behaviour in ten lines: open tabs by user, and when a user without one is gone. */
class Model {
  readonly tabs = new Map<string, number>();
  readonly goneAt = new Map<string, number>();
  open(user: string): void {
    this.tabs.set(user, (this.tabs.get(user) ?? 0) + 1);
    this.goneAt.delete(user);
  }
  close(user: string, at: number): void {
    this.tabs.set(user, this.tabs.get(user)! - 1);
    if (this.tabs.get(user) === 0) this.goneAt.set(user, at);
  }
  members(now: number): string[] {
    const gone = (user: string) => (this.goneAt.get(user) ?? Infinity) <= now;
    return [...this.tabs.keys()].filter((user) => !gone(user)).sort();
  }
}

/** A connection without a socket, which keeps its frames. */
class FakeConnection {
  readonly subscriptions = new Map();
  readonly frames: Received[] = [];
  constructor(readonly id: string, readonly userId: string) {}
  send({ text }: { text: string }): void {
    const { event, channel, data } = JSON.parse(text);
    this.frames.push({ event, channel, data: JSON.parse(data) });
  }
  sendLogged = ({ frame }: { frame: Frame }) => this.send(frame);
  sendList = (list: LateList) => this.send(list.encode());
  unfollow(): void {}
}

/** A hub on a manual clock, and its model. */
class World {
  readonly clock = new ManualClock();
  readonly hub = new Hub(new LocalBroker(), {
    clock: this.clock,
    presenceGraceMs: graceMs,
    settings: () => appSettings(app),
    changed() {},
    joined() {},
    emit() {},
  });
  readonly model = new Model();
  readonly open: FakeConnection[] = [];
  #opened = 0;
  readonly watcher = this.join("watcher");

  join(userId: string): FakeConnection {
    const fake = new FakeConnection(`1.${this.#opened++}`, userId);
    this.model.open(userId);
    const info = JSON.stringify({ id: userId });
    this.hub.subscribe(fake as unknown as Connection, room, { id: userId, info });
    return fake;
  }

  leave(index: number, how: "unsubscribe" | "close" | "time out"): void {
    const [fake] = this.open.splice(index % this.open.length, 1);
    const grace = how === "close";
    this.model.close(fake.userId, this.clock.now() + (grace ? graceMs : 0));
    const connection = fake as unknown as Connection;
    if (how === "unsubscribe") this.hub.unsubscribe(connection, room);
    else this.hub.release(connection, { grace, reason: "closed" });
    this.hub.release(connection, { grace: false, reason: "closed" });
  }
}

type Step = { open: string } | { leave: number; how: "unsubscribe" | "close" | "time out" } | {
  wait: number;
};

const users = fc.constantFrom("a", "b", "c", "__proto__", "constructor", "10");
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ open: users }) },
    {
      weight: 4,
      arbitrary: fc.record({
        leave: fc.nat(20),
        how: fc.constantFrom("unsubscribe" as const, "close" as const, "time out" as const),
      }),
    },
    { weight: 3, arbitrary: fc.record({ wait: fc.integer({ min: 1, max: 1_500 }) }) },
  ),
  { maxLength: 60 },
);

function check(todo: Step[]): void {
  const world = new World();
  const seen = new Set(["watcher"]);
  for (const step of todo) {
    if ("wait" in step) world.clock.advance(step.wait);
    else if ("open" in step) {
      const fake = world.join(step.open);
      world.open.push(fake);
      checkList(fake.frames[0], world);
    } else if (world.open.length > 0) world.leave(step.leave, step.how);
    follow(world.watcher.frames.splice(0), seen);
    assert.deepEqual([...seen].sort(), world.model.members(world.clock.now()));
  }
  world.clock.advance(graceMs);
  for (const _ of [...world.open]) world.leave(0, "unsubscribe");
  world.hub.release(world.watcher as unknown as Connection, { grace: false, reason: "closed" });
  assert.equal(world.hub.channels.size, 0);
  assert.equal(world.hub.stats().leaving, 0);
  assert.equal(world.clock.timers, 0);
}

/** Applies events as a client does: no member is added twice or removed without being there. */
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

/** Asserts that the list has the members of the model, and as its count the keys of its hash. */
function checkList({ data: { presence } }: Received, world: World): void {
  assert.equal(presence.count, Object.keys(presence.hash).length);
  assert.deepEqual(Object.keys(presence.hash).sort(), presence.ids.toSorted());
  assert.deepEqual(presence.ids.toSorted(), world.model.members(world.clock.now()));
}

describe("Hub, with a local broker", () => {
  it("has the members of the model after any order of joins, leaves and waits", () => {
    fc.assert(fc.property(steps, check), { numRuns: 2_000 });
  });
});
