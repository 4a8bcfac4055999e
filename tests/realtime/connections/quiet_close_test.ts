import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { closeWhenQuiet } from "@/realtime/connections/closing.ts";
import { ManualClock } from "../manual_clock.ts";

function closing(received: () => number) {
  const clock = new ManualClock();
  const closedAt: number[] = [];
  const cancel = closeWhenQuiet(clock, received, () => closedAt.push(clock.now()));
  return { clock, closedAt, cancel };
}

describe("The close of a client that sends too much", () => {
  it("comes 50 ms after its last frame", () => {
    let frames = 0;
    const { clock, closedAt } = closing(() => frames);
    frames++;
    clock.advance(50);
    assert.deepEqual(closedAt, []);
    clock.advance(50);
    assert.deepEqual(closedAt, [100]);
  });

  it("comes after two seconds when the client never stops", () => {
    let frames = 0;
    const { clock, closedAt } = closing(() => frames++);
    clock.advance(10_000);
    assert.deepEqual(closedAt, [2_000]);
  });

  it("does not come when the socket has closed before", () => {
    const { clock, closedAt, cancel } = closing(() => 0);
    cancel();
    clock.advance(1_000);
    assert.deepEqual([closedAt, clock.timers], [[], 0]);
  });
});
