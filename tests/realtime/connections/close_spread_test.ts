import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { withTimeout } from "../../fixtures/with_timeout.ts";
import { closeSpread } from "@/realtime/connections/closing.ts";
import { ManualClock } from "../manual_clock.ts";

/** Ten connections that are closed over a time in milliseconds. */
function closing(ms: number) {
  const clock = new ManualClock();
  const closedAt: number[] = [];
  const connections = Array.from({ length: 10 }, () => ({ isOpen: true }));
  const done = closeSpread(
    connections,
    (connection) => {
      connection.isOpen = false;
      closedAt.push(clock.now());
    },
    ms,
    clock,
  );
  return { clock, closedAt, connections, done };
}

describe("The closes of a drain", () => {
  it("are spread evenly over its time", async () => {
    const { clock, closedAt, done } = closing(1_000);
    while (clock.timers > 0) {
      clock.advance(20);
      await Promise.resolve();
    }
    await done;
    assert.equal(closedAt.length, 10);
    assert.ok(closedAt.every((at, index) => Math.abs(at - index * 100) <= 20), String(closedAt));
  });

  it("all come at once when it has no time", async () => {
    const { closedAt, done } = closing(0);
    assert.deepEqual(closedAt, Array(10).fill(0));
    await withTimeout(done, "the drain ended");
  });

  it("end with the last client, before the time is over", async () => {
    const { clock, connections, done } = closing(60_000);
    for (const connection of connections) connection.isOpen = false;
    clock.advance(20);
    await withTimeout(done, "the drain ended");
    assert.equal(clock.timers, 0);
  });
});
