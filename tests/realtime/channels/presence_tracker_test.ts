import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { leaveGrace, PresenceTracker } from "../../../realtime/channels/presence_tracker.ts";
import { departures } from "../../../realtime/events/leave_reason.ts";
import { ManualClock } from "../manual_clock.ts";

function trackerWithGrace(graceMs: number) {
  const clock = new ManualClock();
  const grace = leaveGrace(graceMs, clock);
  const left: string[] = [];
  const tracker = new PresenceTracker(grace, (userId, reason) => left.push(`${userId} ${reason}`));
  return { clock, grace, left, tracker };
}

describe("PresenceTracker", () => {
  it("removes a user once, at the end of the leave grace, with the reason of the last leave", () => {
    const { clock, grace, left, tracker } = trackerWithGrace(1_000);
    assert.equal(tracker.connect("a"), 1);
    assert.equal(tracker.disconnect("a", departures.closed), false);
    clock.advance(999);
    assert.deepEqual([left, tracker.has("a"), grace.size], [[], true, 1]);
    clock.advance(1);
    assert.deepEqual([left, tracker.has("a"), grace.size], [["a closed"], false, 0]);
    assert.equal(clock.timers, 0);
  });

  it("cancels the leave grace at a return, so that a second leave has all of its own", () => {
    const { clock, grace, left, tracker } = trackerWithGrace(1_000);
    tracker.connect("a");
    tracker.disconnect("a", departures.closed);
    clock.advance(900);
    assert.equal(tracker.connect("a"), 1);
    assert.equal(grace.size, 0);
    tracker.disconnect("a", departures.closed);
    clock.advance(999);
    assert.deepEqual(left, []);
    clock.advance(1);
    assert.deepEqual(left, ["a closed"]);
  });

  it("reports a user without grace as gone at once, and never afterwards", () => {
    for (const graceMs of [0, 1_000]) {
      const { clock, left, tracker } = trackerWithGrace(graceMs);
      tracker.connect("a");
      tracker.connect("a");
      assert.equal(tracker.disconnect("a", departures.unsubscribed), false);
      assert.equal(tracker.disconnect("a", departures.unsubscribed), true);
      assert.equal(tracker.size, 0);
      clock.advance(2_000);
      assert.deepEqual(left, []);
    }
  });
});
