import assert from "node:assert/strict";
import { beforeEach, describe, it } from "@std/testing/bdd";
import { KnownServers } from "@/realtime/cluster/known_servers.ts";
import { ManualClock } from "../manual_clock.ts";
import { partOf } from "../../fixtures/doubles.ts";
import { settle } from "./node/memory_link.ts";

const leaseMs = 10_000;

/** Whether a server says that it recovers, and from which start. */
function said(servers: KnownServers): unknown[] {
  const { recovers, restart } = JSON.parse(servers.totals());
  return [recovers, restart];
}

describe("the servers that one of them knows", () => {
  let clock: ManualClock;
  let node: {
    staleSince: number | undefined;
    firstLease: { at: number; isAlone: boolean } | undefined;
    onChange(): () => void;
    sharedNow(): number;
  };
  let totals: Map<string, string>;
  let servers: KnownServers;
  let changes: number;
  beforeEach(async () => {
    clock = new ManualClock();
    node = {
      staleSince: undefined,
      firstLease: { at: clock.now() + 5_000, isAlone: false },
      onChange: () => () => {},
      sharedNow: () => clock.now() + 5_000,
    };
    totals = new Map();
    changes = 0;
    servers = new KnownServers({
      clock,
      leaseMs,
      heartbeatMs: 1_000,
      place: "redis",
      number: 1,
      node: () => partOf(node),
      isLeader: () => false,
      state: partOf({ totals: () => Promise.resolve(totals) }),
      ignored: partOf({ counts: { malformed: 0, unknown: 0 } }),
    });
    beat("1.1", 1);
    beat("2.1", 1);
    await servers.read();
    servers.onChange(() => changes++);
  });

  function beat(name: string, number: number, more: object = {}): void {
    const zeros = { age: 0, connections: 0, users: 0, memory: 0, lag: 0 };
    const names = { host: "web", version: "1.0.0" };
    totals.set(name, JSON.stringify({ ...zeros, ...names, leads: false, beat: number, ...more }));
  }

  /** What pages show of the other server. */
  async function other() {
    const row = (await servers.list()).find(({ number }) => number === "2");
    return row && [row.lastHeartbeatAt, row.seesRedis];
  }

  it("run still without Redis as long as they report so elsewhere, and are known a minute longer", async () => {
    totals.delete("2.1");
    clock.advance(50_000);
    servers.reported([{ id: "2", seesRedis: false, ageMs: 2_000 }, {
      id: "3",
      seesRedis: false,
      ageMs: 0,
    }]);
    assert.deepEqual(await other(), [48_000, false]);
    clock.advance(57_000);
    await servers.read();
    assert.deepEqual([await other(), servers.alive], [[48_000, false], { alive: 1, known: 2 }]);
    clock.advance(1_001);
    await servers.read();
    assert.equal(await other(), undefined);
  });

  it("have all their users, unless they have just started without others, stop, or are this one", async () => {
    let heartbeats = 1;
    const certain = async (more: object, name = "2.1") => {
      totals.clear();
      beat("1.1", 9);
      beat(name, ++heartbeats, more);
      await servers.read();
      return servers.hasCertainOthers;
    };
    assert.equal(await certain({}), true, "one of an earlier release");
    assert.equal(await certain({ recovers: true }), false);
    assert.equal(await certain({ recovers: false }), true);
    assert.equal(await certain({ recovers: false, stops: true }), false);
    assert.equal(await certain({ recovers: false }, "1.1"), false);
  });

  describe("at the start of this one", () => {
    /** Notes when it knows of the others. */
    function find(): () => number | undefined {
      let foundAt: number | undefined;
      servers.findOthers().then(() => foundAt = clock.now());
      return () => foundAt;
    }

    async function pass(ms: number): Promise<void> {
      for (let passed = 0; passed < ms; passed += 100) {
        await settle();
        clock.advance(100);
      }
      await settle();
    }

    it("have all their users only from the next heartbeat on: one that was killed has a lease still", async () => {
      assert.equal(servers.hasCertainOthers, false);
      const foundAt = find();
      await pass(700);
      assert.equal(foundAt(), undefined);
      beat("2.1", 2);
      await pass(100);
      assert.deepEqual([foundAt(), servers.hasCertainOthers], [800, true]);
    });

    it("are awaited for three heartbeats, and not where they have just started or are about to end", async () => {
      const foundAt = find();
      await pass(3_500);
      assert.deepEqual([foundAt(), servers.hasCertainOthers], [3_000, false]);
      for (const more of [{ recovers: true }, { stops: true }]) {
        beat("2.1", 3, more);
        await servers.read();
        const at = clock.now();
        const found = find();
        await settle();
        assert.equal(found(), at);
      }
    });

    it("recover from the first start of theirs, for as long as users of ended servers may be left", async () => {
      assert.deepEqual(servers.restart, { agoMs: 0, uncertainMs: 12_000 });
      clock.advance(500);
      const heartbeat = async (number: number, recovers: boolean, at: number) => {
        beat("2.1", number, { recovers, restart: { at, uncertainMs: 0 } });
        await servers.read();
      };
      await heartbeat(2, true, 5_001);
      assert.deepEqual(servers.restart, { agoMs: 500, uncertainMs: 12_000 });
      assert.equal(changes, 0);
      await heartbeat(3, true, 5_000);
      assert.deepEqual([servers.restart, changes], [{ agoMs: 500, uncertainMs: 0 }, 1]);
      await heartbeat(4, true, 4_900);
      assert.deepEqual([servers.restart, changes], [{ agoMs: 600, uncertainMs: 0 }, 2]);
      await heartbeat(5, false, 4_900);
      assert.deepEqual([servers.restart.agoMs, servers.hasCertainOthers], [500, true]);
    });

    it("recover from the start of one that was alone, also while it does not yet say how many users it has", () => {
      assert.deepEqual(said(servers), [true, { at: 5_000, uncertainMs: 12_000 }]);
      node.firstLease = { at: 4_000, isAlone: true };
      assert.deepEqual(said(servers), [true, { at: 4_000, uncertainMs: 0 }]);
      node.firstLease = undefined;
      assert.deepEqual(said(servers), [true, undefined]);
    });
  });

  it("reach Redis when they send heartbeats there again, whatever they reported elsewhere", async () => {
    servers.reported([{ id: "2", seesRedis: false, ageMs: 0 }]);
    assert.deepEqual(await other(), [0, false]);
    clock.advance(1_000);
    beat("2.1", 2);
    await servers.read();
    assert.deepEqual(await other(), [1_000, true]);
    servers.reported([{ id: "2", seesRedis: true, ageMs: 0 }]);
    assert.deepEqual(await other(), [1_000, true]);
  });

  it("do not have the one among them that is partitioned once it reaches Redis", () => {
    servers.partitioned(true);
    assert.deepEqual([servers.isPartitioned, changes], [false, 0]);
    node.staleSince = 5;
    servers.partitioned(true);
    servers.partitioned(true);
    assert.deepEqual([servers.isPartitioned, changes], [true, 1]);
    node.staleSince = undefined;
    assert.equal(servers.isPartitioned, false);
    servers.partitioned(false);
    assert.deepEqual([servers.isPartitioned, changes], [false, 2]);
  });
});
