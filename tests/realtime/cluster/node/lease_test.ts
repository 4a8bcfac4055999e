import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { Lease } from "@/realtime/cluster/node/lease.ts";
import type { Heartbeat } from "@/realtime/cluster/state/shared_state.ts";
import { ManualClock } from "../../manual_clock.ts";

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
    assert.equal(lease.redisNow(), beganAt + 300);
    // It was sent 100 ms ago.
    lease.renewed(heartbeatAt(2_000), clock.now() - 100, false);
    assert.equal(lease.redisNow(), beganAt + 2_100);
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

  it("lets no users be dropped for as long after this process stood still, as all others may have", () => {
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
