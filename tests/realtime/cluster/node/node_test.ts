import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { Node, type NodeListener } from "@/realtime/cluster/node/node.ts";
import type { Heartbeat } from "@/realtime/cluster/state/shared_state.ts";
import { ManualClock } from "../../manual_clock.ts";
import { MemoryLink } from "./memory_link.ts";
import { settle } from "./settle.ts";

const heartbeatMs = 1_000;
const leaseMs = 10_000;

/** A server beside others that are lost, and Redis, whose answers the test gives. */
class NodeSimulation implements Disposable {
  readonly clock = new ManualClock();
  readonly link = new MemoryLink();
  readonly logged: string[] = [];
  readonly node: Node;
  expired: string[] = [];
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
      const nodes = [`7.${1 + this.lost}`];
      return { now: 1_000_000 + clock.now(), beganAt: 1, nodes, expired: this.expired, exited: [] };
    };
    const state = this.link.stateOf({
      begin: () => Promise.resolve(heartbeat()),
      heartbeat: (name: string) =>
        Promise.resolve(name === `7.${1 + this.lost}` ? heartbeat() : "lost"),
      exit: () => Promise.resolve(),
      drop: (name: string) => new Promise<boolean>((answer) => this.drops.push({ name, answer })),
      // deno-lint-ignore no-explicit-any -- a node calls nothing else
    } as any);
    this.node = new Node({
      state,
      redis: this.link,
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
