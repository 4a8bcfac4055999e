import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { StalledPeers } from "@/realtime/connections/closing.ts";
import { ManualClock } from "../manual_clock.ts";

function peer(given: { unsentBytes?: number } = {}) {
  return { unsentBytes: 10, sentBytes: 10, lastFrameAt: 0, isTakingLists: false, ...given };
}

function watchOf(...peers: ReturnType<typeof peer>[]) {
  const clock = new ManualClock();
  const found: unknown[] = [];
  const watch = new StalledPeers(1_000, () => peers, (peer) => found.push(peer), clock);
  watch.start();
  return { clock, found, watch };
}

describe("StalledPeers", () => {
  it("finds a peer that takes nothing for an interval, not one that takes a little", () => {
    const [stuck, slow, fast] = [peer(), peer(), peer({ unsentBytes: 0 })];
    const { clock, found, watch } = watchOf(stuck, slow, fast);
    clock.advance(1_000);
    assert.deepEqual(found, []);
    for (const peer of [stuck, slow, fast]) peer.sentBytes += 5;
    stuck.unsentBytes += 5;
    slow.unsentBytes += 4;
    clock.advance(1_000);
    assert.deepEqual(found, [stuck]);
    watch.stop();
    assert.equal(clock.timers, 0);
  });

  it("finds no peer that sends frames, until it stops", () => {
    const pinging = peer();
    const { clock, found, watch } = watchOf(pinging);
    for (let interval = 0; interval < 5; interval++) {
      pinging.lastFrameAt = clock.now() + 1;
      clock.advance(1_000);
    }
    assert.deepEqual(found, []);
    clock.advance(1_000);
    assert.deepEqual(found, [pinging]);
    watch.stop();
  });

  it("finds no peer that may be taking a list, but then after an interval", () => {
    const reading = peer();
    const { clock, found, watch } = watchOf(reading);
    reading.isTakingLists = true;
    clock.advance(5_000);
    assert.deepEqual(found, []);
    reading.isTakingLists = false;
    clock.advance(1_000);
    assert.deepEqual(found, []);
    clock.advance(1_000);
    assert.deepEqual(found, [reading]);
    watch.stop();
  });
});
