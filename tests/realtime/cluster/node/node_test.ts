import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { Node, type NodeListener } from "@/realtime/cluster/node/node.ts";
import type { Beat } from "@/realtime/cluster/state/shared_state.ts";
import { ManualClock } from "../../manual_clock.ts";
import { MemoryLink } from "./memory_link.ts";
import { turn } from "./turn.ts";

const beatMs = 1_000;
const leaseMs = 10_000;

/** A server beside others that are lost, and Redis, whose answers the test gives. */
class Stage implements Disposable {
  readonly clock = new ManualClock();
  readonly link = new MemoryLink();
  readonly logged: string[] = [];
  readonly node: Node;
  expired: string[] = [];
  isLeader = true;
  beats = 0;
  /** Leases of this server that Redis finds lost. */
  lost = 0;
  /** The drops that wait for an answer. */
  readonly drops: { name: string; answer: (isMore: boolean) => void }[] = [];

  constructor() {
    const { clock } = this;
    const beat = (): Beat => {
      this.beats++;
      const nodes = [`7.${1 + this.lost}`];
      return { now: 1_000_000 + clock.now(), beganAt: 1, nodes, expired: this.expired, exited: [] };
    };
    const state = this.link.stateOf({
      begin: () => Promise.resolve(beat()),
      beat: (name: string) => Promise.resolve(name === `7.${1 + this.lost}` ? beat() : "lost"),
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
      beatMs,
      totals: () => "{}",
      leads: () => this.isLeader,
      wasPlanned: () => false,
      log: ({ message }) => void this.logged.push(message),
    });
  }

  async pass(seconds: number): Promise<void> {
    for (let second = 0; second < seconds; second++) {
      this.clock.advance(beatMs);
      await turn();
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
    using stage = new Stage();
    await stage.lose("8.1", "9.1");
    assert.deepEqual(stage.drops.map(({ name }) => name), ["8.1"]);
    const { beats } = stage;
    await stage.pass(30);
    assert.equal(stage.beats, beats + 30);
    assert.equal(stage.drops.length, 1, "one call at a time");
    stage.drops[0].answer(true);
    await turn();
    assert.equal(stage.drops.length, 1, "Redis is for others now");
    stage.clock.advance(100);
    await turn();
    stage.drops[1].answer(false);
    await turn();
    assert.deepEqual(stage.drops.map(({ name }) => name), ["8.1", "8.1", "9.1"]);
    assert.deepEqual(stage.logged, ["A server was lost", "A server was lost"]);
    stage.drops[2].answer(true);
    await turn();
    stage.node.stop();
    assert.equal(stage.clock.timers, 0);
  });

  it("drops none of their users any more when a beat fails, or when they are back", async () => {
    for (const end of ["failure", "return"]) {
      using stage = new Stage();
      await stage.lose("8.1");
      if (end === "failure") stage.link.failing = 1;
      else stage.expired = [];
      await stage.pass(1);
      stage.drops[0].answer(true);
      await stage.pass(5);
      assert.equal(stage.drops.length, 1, end);
    }
  });

  it("leaves their users to the leader, for as long as that should need", async () => {
    using stage = new Stage();
    stage.isLeader = false;
    await stage.lose("8.1");
    await stage.pass(10);
    assert.deepEqual([stage.drops.length, stage.logged], [0, ["A server was lost"]]);
    await stage.pass(1);
    assert.equal(stage.drops.length, 1);
  });

  it("drops their users as soon as it leads", async () => {
    using stage = new Stage();
    stage.isLeader = false;
    await stage.lose("8.1");
    stage.isLeader = true;
    await stage.pass(1);
    assert.equal(stage.drops.length, 1);
  });
});

describe("A server whose users Redis has no memory for when it states them again", () => {
  it("states again only who was refused, and drops its former name when all are taken", async () => {
    using stage = new Stage();
    const calls: string[] = [];
    let refused = 3;
    const listener: NodeListener = {
      restate: () => Promise.resolve((calls.push("restate"), false)),
      retry: () => Promise.resolve((calls.push("retry"), --refused <= 0)),
    };
    stage.node.add(listener);
    await stage.node.start();
    stage.lost++;
    await stage.pass(1);
    assert.deepEqual(calls, ["restate"]);
    await stage.pass(2);
    assert.deepEqual([calls, stage.drops], [["restate", "retry", "retry"], []]);
    await stage.pass(1);
    assert.deepEqual(calls, ["restate", "retry", "retry", "retry"]);
    assert.deepEqual(stage.drops.map(({ name }) => name), ["7.1"]);
  });
});
