import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { appSettings } from "@/realtime/app_config.ts";
import { defaultLimits } from "@/realtime/options.ts";
import { LocalBroker } from "@/realtime/brokers/local_broker.ts";
import { Hub } from "@/realtime/channels/hub.ts";
import type { Connection } from "@/realtime/connections/connection.ts";
import { departures } from "@/realtime/events/server_events.ts";
import { published } from "@/realtime/protocol/outgoing.ts";
import { FakeConnections, type FakeFrame, type FakeSocket } from "../fake_socket.ts";

const room = "presence-room";

/** What a client makes of the frames of the room. */
class ClientView {
  members: Set<string> | undefined;
  /** The number that a quiet member was sent last. */
  count: number | undefined;
  readonly events: number[] = [];

  take({ event, data }: FakeFrame): void {
    if (event === "pusher_internal:subscription_succeeded") {
      assert.equal(this.members, undefined, "a second list");
      this.members = new Set(data.presence.ids);
      assert.equal(data.presence.count, this.members.size);
    } else if (event === "pusher_internal:member_added") {
      assert.equal(this.members?.has(data.user_id), false, `${data.user_id} added twice`);
      this.members?.add(data.user_id);
    } else if (event === "pusher_internal:member_removed") {
      assert.ok(this.members?.delete(data.user_id), `${data.user_id} removed twice`);
    } else if (event === "rollcall:count") {
      assert.ok(this.members, "a number before the list");
      this.count = data.users;
    } else if (event === "event") {
      assert.ok(this.members, "an event before the list");
      this.events.push(data);
    }
  }
}

interface Tab {
  connection: Connection;
  socket: FakeSocket;
  view: ClientView;
  userId: string;
  isQuiet: boolean;
  /** The events that were published since it joined. */
  expected: number[];
}

/** A room whose sockets take frames at the steps for it. */
class PacedRoomSimulation {
  readonly connections: FakeConnections;
  readonly tabs: Tab[] = [];
  readonly hub: Hub;
  #published = 0;

  constructor(tickBytes: number) {
    this.connections = new FakeConnections(
      { tickBytes },
      (connection, departure) => this.hub.release(connection, departure),
    );
    const { clock } = this.connections;
    const broker = new LocalBroker({ clock, emit() {}, maxCacheBytes: () => 1_000 });
    this.hub = new Hub(broker, {
      clock,
      presenceGraceMs: 0,
      settings: () => appSettings({ id: "1", key: "key", secret: "a-secret" }),
      changed() {},
      joined() {},
      published() {},
      countSent() {},
      memberChanged() {},
      activityChanged() {},
      closed() {},
      refused() {},
      emit() {},
      isGuest: () => false,
      limits: defaultLimits,
    });
  }

  join(userId: string, isQuiet = false): void {
    const { connection, socket } = this.connections.open();
    const tab = { connection, socket, view: new ClientView(), userId, isQuiet, expected: [] };
    this.tabs.push(tab);
    this.#subscribe(tab);
  }

  #subscribe({ connection, userId, isQuiet }: Tab): void {
    const member = { id: userId, info: `{"id":"${userId}"}`, options: { quiet: isQuiet } };
    this.hub.subscribe(connection, room, member);
  }

  /** The client leaves the room and joins again, before it has read what was sent. */
  rejoin(index: number, isQuiet: boolean): void {
    const tab = this.tabs[index % this.tabs.length];
    this.read(tab);
    this.hub.unsubscribe(tab.connection, room);
    tab.view = new ClientView();
    tab.expected = [];
    tab.isQuiet = isQuiet;
    this.#subscribe(tab);
  }

  close(index: number): void {
    const [tab] = this.tabs.splice(index % this.tabs.length, 1);
    tab.socket.dispatchEvent(new CloseEvent("close"));
  }

  publish(): void {
    const except = this.tabs[this.#published % (this.tabs.length + 1)];
    const options = { except: except?.connection.id };
    this.hub.publish(room, published(room, "event", ++this.#published), options);
    for (const tab of this.tabs) if (tab !== except) tab.expected.push(this.#published);
  }

  read({ socket, view }: Tab): void {
    for (const frame of socket.received.splice(0)) view.take(frame);
  }

  settle(): void {
    for (let turn = 0; turn < 10_000 && this.connections.clock.timers > 0; turn++) {
      for (const { socket } of this.tabs) socket.take();
      this.connections.clock.advance(20);
    }
    assert.equal(this.connections.clock.timers, 0);
  }
}

type Step =
  | { do: "join"; user: string; isQuiet: boolean }
  | { do: "rejoin"; index: number; isQuiet: boolean }
  | { do: "close" | "take"; index: number }
  | { do: "publish" }
  | { do: "turn"; ms: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("join"),
      user: fc.constantFrom(..."abcdef"),
      isQuiet: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("rejoin"),
      index: fc.nat(20),
      isQuiet: fc.boolean(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constantFrom("close", "take"), index: fc.nat(20) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("publish") }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("turn"), ms: fc.constantFrom(0, 20) }) },
) as fc.Arbitrary<Step>;

function run(simulation: PacedRoomSimulation, step: Step): void {
  if (step.do === "join") simulation.join(step.user, step.isQuiet);
  else if (step.do === "publish") simulation.publish();
  else if (step.do === "turn") simulation.connections.clock.advance(step.ms);
  else if (simulation.tabs.length === 0) return;
  else if (step.do === "take") simulation.tabs[step.index % simulation.tabs.length].socket.take();
  else if (step.do === "rejoin") simulation.rejoin(step.index, step.isQuiet);
  else simulation.close(step.index);
}

describe("A presence channel, with peers that take frames late", () => {
  it("sends each the exact members, or their number, and every event, whatever waited in between", () => {
    const steps = fc.array(step, { maxLength: 80 });
    fc.assert(
      fc.property(fc.constantFrom(1, 3_000, 1e6), steps, (tickBytes, steps) => {
        const simulation = new PacedRoomSimulation(tickBytes);
        for (const step of steps) run(simulation, step);
        simulation.settle();
        const members = new Set(simulation.tabs.map(({ userId }) => userId));
        for (const tab of simulation.tabs) {
          simulation.read(tab);
          const listed = tab.isQuiet ? [tab.userId] : [...members].sort();
          assert.deepEqual([...tab.view.members ?? []].sort(), listed);
          assert.equal(tab.view.count, tab.isQuiet ? members.size : undefined);
          assert.deepEqual(tab.view.events, tab.expected);
        }
        for (const { connection } of [...simulation.tabs]) {
          simulation.hub.release(connection, departures.closed);
        }
        assert.equal(simulation.hub.channels.size, 0);
      }),
      { numRuns: 1_000 },
    );
  });

  it("sends a quiet member the last number last, also behind an event that waits", () => {
    const simulation = new PacedRoomSimulation(1);
    const turn = () => simulation.connections.clock.advance(0);
    simulation.join("a");
    turn();
    simulation.join("a", true);
    simulation.publish();
    turn();
    simulation.join("c");
    simulation.settle();
    const [, quiet] = simulation.tabs;
    simulation.read(quiet);
    assert.equal(quiet.view.count, 2);
  });

  it("sends a list without users who leave before its turn, and not that they left", () => {
    const simulation = new PacedRoomSimulation(1e6);
    simulation.join("a");
    simulation.join("b");
    simulation.settle();
    simulation.join("a");
    simulation.close(1);
    simulation.settle();
    const [before, after] = simulation.tabs;
    for (const tab of simulation.tabs) simulation.read(tab);
    assert.deepEqual([[...before.view.members!], [...after.view.members!]], [["a"], ["a"]]);
  });

  it("hands over what a turn has room for when all leave at once, and nothing to users who left", () => {
    const members = 300;
    const simulation = new PacedRoomSimulation(100_000);
    for (let user = 0; user < members; user++) simulation.join(`user-${user}`);
    simulation.settle();
    for (const { socket } of simulation.tabs) socket.bytes = 0;
    const sockets = simulation.tabs.map(({ socket }) => socket);
    while (simulation.tabs.length > 0) simulation.close(0);
    const handed = sockets.reduce((sum, { bytes }) => sum + bytes, 0);
    assert.ok(handed < 100_000, `${handed} bytes for peers that are gone`);
    simulation.settle();
    assert.equal(sockets.reduce((sum, { bytes }) => sum + bytes, 0), handed);
  });
});
