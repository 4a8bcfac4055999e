import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { Node, type NodeListener } from "@/realtime/cluster/node/node.ts";
import type { Heartbeat, SharedState } from "@/realtime/cluster/state/shared_state.ts";
import { Lease } from "@/realtime/cluster/node/lease.ts";
import { ManualClock } from "../../manual_clock.ts";
import { partOf } from "../../../fixtures/doubles.ts";
import { MemoryLink, settle } from "./memory_link.ts";

const heartbeatMs = 1_000;
const leaseMs = 10_000;

/** A server beside others that are lost, and Redis, whose answers the test gives. */
class NodeSimulation implements Disposable {
  readonly clock = new ManualClock();
  readonly link = new MemoryLink();
  readonly logged: string[] = [];
  readonly node: Node;
  expired: string[] = [];
  others: string[] = [];
  isLeader = true;
  heartbeats = 0;
  /** Leases of this server that Redis finds lost. */
  lost = 0;
  /** The drops that wait for an answer. */
  readonly drops: { name: string; answer: (isMore: boolean) => void }[] = [];

  constructor() {
    const { clock } = this;
    const heartbeat = (): Heartbeat => {
      this.heartbeats++;
      const nodes = [`7.${1 + this.lost}`, ...this.others];
      return { now: 1_000_000 + clock.now(), beganAt: 1, nodes, expired: this.expired, exited: [] };
    };
    const state = this.link.stateOf(partOf<SharedState>({
      begin: () => Promise.resolve(heartbeat()),
      heartbeat: (name: string) =>
        Promise.resolve(name === `7.${1 + this.lost}` ? heartbeat() : "lost"),
      exit: () => Promise.resolve(),
      drop: (name: string) => new Promise<boolean>((answer) => this.drops.push({ name, answer })),
    }));
    this.node = new Node({
      state,
      link: this.link,
      clock,
      number: 7,
      leaseMs,
      heartbeatMs,
      totals: () => "{}",
      isLeader: () => this.isLeader,
      wasPlanned: () => false,
      log: ({ message }) => void this.logged.push(message),
    });
  }

  async pass(seconds: number): Promise<void> {
    for (let second = 0; second < seconds; second++) {
      this.clock.advance(heartbeatMs);
      await settle();
    }
  }

  /** It has been valid for longer than a lease, and then others are lost. */
  async lose(...names: string[]): Promise<void> {
    await this.node.start();
    await this.pass(12);
    this.expired = names;
    await this.pass(1);
  }

  [Symbol.dispose](): void {
    this.node.stop();
    this.link.end();
  }
}

describe("A server that starts", () => {
  it("started alone if no other server had a lease or had left users behind", async () => {
    using alone = new NodeSimulation();
    await alone.node.start();
    alone.others = ["8.1"];
    await alone.pass(1);
    assert.equal(alone.node.firstLease?.isAlone, true);
    for (const left of [{ others: ["8.1"] }, { expired: ["8.1"] }]) {
      using simulation = new NodeSimulation();
      Object.assign(simulation, left);
      await simulation.node.start();
      Object.assign(simulation, { others: [], expired: [] });
      await simulation.pass(1);
      assert.equal(simulation.node.firstLease?.isAlone, false);
    }
  });
});

describe("A server that finds others lost", () => {
  it("renews its lease while it drops their users, however long that takes", async () => {
    using simulation = new NodeSimulation();
    await simulation.lose("8.1", "9.1");
    assert.deepEqual(simulation.drops.map(({ name }) => name), ["8.1"]);
    const { heartbeats } = simulation;
    await simulation.pass(30);
    assert.equal(simulation.heartbeats, heartbeats + 30);
    assert.equal(simulation.drops.length, 1, "one call at a time");
    simulation.drops[0].answer(true);
    await settle();
    assert.equal(simulation.drops.length, 1, "Redis is for others now");
    simulation.clock.advance(100);
    await settle();
    simulation.drops[1].answer(false);
    await settle();
    assert.deepEqual(simulation.drops.map(({ name }) => name), ["8.1", "8.1", "9.1"]);
    assert.deepEqual(simulation.logged, ["A server was lost", "A server was lost"]);
    simulation.drops[2].answer(true);
    await settle();
    simulation.node.stop();
    assert.equal(simulation.clock.timers, 0);
  });

  it("drops none of their users any more when a heartbeat fails, or when they are back", async () => {
    for (const end of ["failure", "return"]) {
      using simulation = new NodeSimulation();
      await simulation.lose("8.1");
      if (end === "failure") simulation.link.failing = 1;
      else simulation.expired = [];
      await simulation.pass(1);
      simulation.drops[0].answer(true);
      await simulation.pass(5);
      assert.equal(simulation.drops.length, 1, end);
    }
  });

  it("leaves their users to the leader, for as long as that should need", async () => {
    using simulation = new NodeSimulation();
    simulation.isLeader = false;
    await simulation.lose("8.1");
    await simulation.pass(10);
    assert.deepEqual([simulation.drops.length, simulation.logged], [0, ["A server was lost"]]);
    await simulation.pass(1);
    assert.equal(simulation.drops.length, 1);
  });

  it("drops their users as soon as it is the leader", async () => {
    using simulation = new NodeSimulation();
    simulation.isLeader = false;
    await simulation.lose("8.1");
    simulation.isLeader = true;
    await simulation.pass(1);
    assert.equal(simulation.drops.length, 1);
  });
});

describe("A server whose users Redis has no memory for when it registers them again", () => {
  it("registers again only who was refused, and drops its former name when all are taken", async () => {
    using simulation = new NodeSimulation();
    const calls: string[] = [];
    let refused = 3;
    const listener: NodeListener = {
      resync: () => Promise.resolve((calls.push("resync"), false)),
      retry: () => Promise.resolve((calls.push("retry"), --refused <= 0)),
    };
    simulation.node.add(listener);
    await simulation.node.start();
    simulation.lost++;
    await simulation.pass(1);
    assert.deepEqual(calls, ["resync"]);
    await simulation.pass(2);
    assert.deepEqual([calls, simulation.drops], [["resync", "retry", "retry"], []]);
    await simulation.pass(1);
    assert.deepEqual(calls, ["resync", "retry", "retry", "retry"]);
    assert.deepEqual(simulation.drops.map(({ name }) => name), ["7.1"]);
  });
});

const beganAt = 1_000_000;

/** A heartbeat that Redis answers, some milliseconds after its data set began. */
function heartbeatAt(milliseconds: number, heartbeat: Partial<Heartbeat> = {}): Heartbeat {
  const now = beganAt + milliseconds;
  return { now, beganAt, nodes: ["7.1"], expired: [], exited: [], ...heartbeat };
}

function newLease(clock = new ManualClock()): Lease {
  return new Lease({ clock, number: 7, leaseMs: 10_000, heartbeatMs: 1_000 });
}

describe("The lease of a server", () => {
  it("has the name of the process, and another one each time", () => {
    const lease = newLease();
    assert.equal(lease.name, undefined);
    for (const name of ["7.1", "7.2"]) {
      assert.equal(lease.nextName, name);
      lease.taken(heartbeatAt(0), 0);
      assert.equal(lease.name, name);
    }
  });

  it("tells a process that goes on under another name from one that is lost", () => {
    const lease = newLease();
    lease.taken(heartbeatAt(0, { nodes: ["7.1", "8.2"] }), 0);
    const names = ["7.1", "8.1", "8.2", "80.1", "9.1"];
    assert.deepEqual(names.filter((name) => lease.livesOn(name)), ["8.1"]);
  });

  it("knows Redis' clock from the last heartbeat, however the own clock is set", () => {
    const clock = new ManualClock();
    clock.advance(500);
    const lease = newLease(clock);
    lease.taken(heartbeatAt(0), clock.now());
    clock.advance(300);
    assert.equal(lease.sharedNow(), beganAt + 300);
    // It was sent 100 ms ago.
    lease.renewed(heartbeatAt(2_000), clock.now() - 100, false);
    assert.equal(lease.sharedNow(), beganAt + 2_100);
  });

  it("knows for how long others may have users whom they have not registered again", () => {
    const clock = new ManualClock();
    const lease = newLease(clock);
    assert.equal(lease.unsettledMs, 0);
    lease.taken(heartbeatAt(4_000), 0);
    assert.equal(lease.unsettledMs, 6_000);
    clock.advance(6_001);
    assert.equal(lease.unsettledMs, 0);
  });

  it("is older than a data set that began after it was taken", () => {
    const lease = newLease();
    lease.taken(heartbeatAt(0), 0);
    assert.equal(lease.isOlderThan(heartbeatAt(5_000)), false);
    assert.equal(lease.isOlderThan(heartbeatAt(5_000, { beganAt: beganAt + 1 })), true);
  });

  it("lets users of lost servers be dropped only when it was valid for longer than one, without a gap", () => {
    const lease = newLease();
    let last = 0;
    const goneAt = (milliseconds: number, wasInterrupted = false) => {
      const goneOf = (at: number, isInterrupted: boolean) => {
        const heartbeat = heartbeatAt(at, { expired: ["8.1", "9.1"], exited: ["9.1"] });
        lease.renewed(heartbeat, 0, isInterrupted);
        return lease.droppable;
      };
      while (milliseconds - last > 1_000) goneOf(last += 1_000, false);
      return goneOf(last = milliseconds, wasInterrupted);
    };
    assert.deepEqual(lease.droppable, []);
    lease.taken(heartbeatAt(0), 0);
    assert.deepEqual(goneAt(3_000), []);
    // The others have registered again by now who has moved to them from a server that stopped.
    assert.deepEqual(goneAt(3_001), ["9.1"]);
    assert.deepEqual(goneAt(10_000), ["9.1"]);
    assert.deepEqual(goneAt(10_001), ["8.1", "9.1"]);
    assert.deepEqual(goneAt(20_000, true), []);
    assert.deepEqual(goneAt(30_001), ["8.1", "9.1"]);
  });

  it("lets no users be dropped for as long after this process was paused, as all others may have been", () => {
    const lease = newLease();
    lease.taken(heartbeatAt(0), 0);
    const goneAt = (milliseconds: number) => {
      lease.renewed(heartbeatAt(milliseconds, { expired: ["8.1"] }), 0, false);
      return lease.droppable;
    };
    for (let at = 3_000; at <= 30_000; at += 3_000) goneAt(at);
    assert.deepEqual(goneAt(33_000), ["8.1"], "heartbeats may be late by two");
    // The leases of all ended in this pause, but for the lease of the first one that runs again.
    assert.deepEqual(goneAt(42_500), []);
    for (let at = 43_000; at <= 52_500; at += 500) assert.deepEqual(goneAt(at), [], `at ${at}`);
    assert.deepEqual(goneAt(53_000), ["8.1"]);
  });
});
