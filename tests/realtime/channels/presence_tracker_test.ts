import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import {
  LeaveGrace,
  PresenceTracker,
  SubscribersByUser,
} from "@/realtime/channels/presence_tracker.ts";
import { departures } from "@/realtime/events/server_events.ts";
import { groupedPages, maxOpenPages } from "@/realtime/channels/members.ts";
import { ManualClock } from "../manual_clock.ts";

function trackerWithGrace(graceMs: number) {
  const clock = new ManualClock();
  const grace = new LeaveGrace(graceMs, clock);
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

  it("counts a user as a full member while it has a full connection, and in the leave grace of one", () => {
    const { clock, tracker } = trackerWithGrace(1_000);
    const { fullMembers } = tracker;
    tracker.connect("a", false);
    assert.equal(fullMembers.has("a"), false);
    tracker.connect("a");
    tracker.connect("a", false);
    tracker.disconnect("a", departures.unsubscribed, false);
    assert.deepEqual([fullMembers.has("a"), fullMembers.size], [true, 1]);
    tracker.disconnect("a", departures.closed);
    clock.advance(999);
    assert.deepEqual([fullMembers.has("a"), fullMembers.size], [true, 1]);
    clock.advance(1);
    assert.deepEqual([fullMembers.has("a"), fullMembers.size, tracker.has("a")], [false, 0, true]);
    tracker.connect("a");
    tracker.disconnect("a", departures.unsubscribed);
    assert.equal(fullMembers.size, 0);
  });

  it("gives a second leave a leave grace of its own, and ignores the end of the first", () => {
    const { clock, left, tracker } = trackerWithGrace(1_000);
    tracker.connect("a");
    tracker.disconnect("a", departures.closed);
    clock.advance(900);
    assert.equal(tracker.connect("a"), 1);
    tracker.disconnect("a", departures.closed);
    clock.advance(999);
    assert.deepEqual(left, []);
    clock.advance(1);
    assert.deepEqual(left, ["a closed"]);
  });

  it("keeps a user whose tab navigates while another unsubscribes or times out", () => {
    for (const last of [departures.unsubscribed, departures.timedOut]) {
      const { clock, left, tracker } = trackerWithGrace(1_000);
      for (let tab = 0; tab < 2; tab++) tracker.connect("a");
      tracker.disconnect("a", departures.closed);
      clock.advance(999);
      assert.equal(tracker.disconnect("a", last), false);
      assert.deepEqual([left, tracker.absent], [[], 1]);
      clock.advance(1);
      assert.deepEqual([left, tracker.absent], [[`a ${last.reason}`], 0]);
    }
  });

  it("counts the end of a leave grace during which another tab stayed as no leave", () => {
    const { clock, grace, left, tracker } = trackerWithGrace(1_000);
    for (let tab = 0; tab < 2; tab++) tracker.connect("a");
    tracker.disconnect("a", departures.closed);
    clock.advance(1_000);
    assert.deepEqual([left, grace.size], [[], 0]);
    assert.equal(tracker.disconnect("a", departures.unsubscribed), true);
  });

  it("removes a user at once when its leave grace is ended, with the reason for that", () => {
    const { clock, grace, left, tracker } = trackerWithGrace(1_000);
    for (const user of ["a", "b"]) tracker.connect(user);
    for (const user of ["a", "b"]) tracker.disconnect(user, departures.closed);
    grace.end("a", "removed");
    assert.deepEqual([left, tracker.has("b")], [["a removed"], true]);
    clock.advance(1_000);
    assert.deepEqual(left, ["a removed", "b closed"]);
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

const page = (path: string, device?: "phone" | "desktop") => ({ path, device });

describe("grouped pages", () => {
  it("have users with the same pages together, the largest group first", () => {
    const groups = groupedPages([
      [page("/b", "phone")],
      [page("/b"), page("/a", "phone"), page("/a", "desktop")],
      [page("/a", "desktop"), page("/b", "phone"), page("/b", "phone")],
      [page("/c")],
      [page("/b"), page("/a", "phone"), page("/a", "desktop")],
    ]);
    assert.deepEqual(groups.slice(0, 1), [
      { paths: ["/a", "/b"], devices: ["desktop", "phone"], users: 3 },
    ]);
    assert.deepEqual(groups.slice(1).map(({ paths, users }) => [paths, users]), [
      [["/b"], 1],
      [["/c"], 1],
    ]);
  });

  it("are at most their number, and count the users of the others", () => {
    const opened = Array.from({ length: maxOpenPages + 50 }, (_, index) => [page(`/${index}`)]);
    const groups = groupedPages([...opened, [page("/0")]]);
    assert.equal(groups.length, maxOpenPages);
    assert.deepEqual(groups[0], { paths: ["/0"], devices: [], users: 2 });
    assert.deepEqual(groups.at(-1), { paths: [], devices: [], users: 51 });
    assert.equal(groups.reduce((sum, { users }) => sum + users, 0), opened.length + 1);
  });

  it("tell at most 20 paths of a user apart", () => {
    const [{ paths }] = groupedPages([Array.from({ length: 30 }, (_, n) => page(`/${n}`))]);
    assert.equal(paths.length, 20);
  });
});

const step = fc.record({
  isAdded: fc.boolean(),
  userId: fc.constantFrom("ann", "bob"),
  subscriber: fc.nat(3),
});

describe("the subscribers of each user", () => {
  it("are the subscribers that were added and not deleted, in the order in which they came", () => {
    fc.assert(fc.property(fc.array(step), (steps) => {
      const subscribers = Array.from({ length: 4 }, (_, id) => ({ id }));
      const byUser = new SubscribersByUser<{ id: number }>();
      const model: Record<string, Set<number>> = { ann: new Set(), bob: new Set() };
      for (const { isAdded, userId, subscriber } of steps) {
        if (isAdded) byUser.add(userId, subscribers[subscriber]);
        else byUser.delete(userId, subscribers[subscriber]);
        if (isAdded) model[userId].add(subscriber);
        else model[userId].delete(subscriber);
        for (const [user, ids] of Object.entries(model)) {
          assert.deepEqual(Array.from(byUser.of(user), ({ id }) => id), [...ids]);
        }
      }
    }));
  });
});
