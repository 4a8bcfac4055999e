import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { SeenEntries, timelineOf } from "@/components/people/timeline.ts";
import type { PersonSnapshot } from "@/shared/person.ts";

const hour = 3_600_000;
const now = 100 * hour;

function snapshot(some: Partial<PersonSnapshot> = {}): PersonSnapshot {
  return {
    at: now,
    name: "Ann",
    presence: null,
    channels: [],
    lastSeenAt: null,
    activity: [],
    unreachable: null,
    ...some,
  };
}

const joined = (at: number) => ({ at, change: "joined" as const, text: "Joined" });
const left = (at: number) => (
  { at, change: "left" as const, text: "Left", reason: "closed the page" }
);

/** Each entry in a word or two, newest first. */
function linesOf(person: PersonSnapshot, seen?: SeenEntries): string[] {
  return timelineOf(person, seen?.of("ann")).entries.map(({ kind, text }) =>
    kind === "page" ? text! : kind
  );
}

describe("the timeline of a person", () => {
  it("has joins, leaves, and the current page and idle time, newest first", () => {
    const person = snapshot({
      activity: [joined(now - hour), left(now - 2 * hour), joined(now - 3 * hour)],
      presence: {
        since: now - hour,
        connections: 1,
        pages: [{ path: "/basket", since: now - hour, device: "phone" }],
        activity: { state: "idle", since: now - 60_000, text: "Idle" },
      },
    });
    assert.deepEqual(linesOf(person), ["idle", "/basket", "joined", "left", "joined"]);
    const { entries } = timelineOf(person);
    assert.deepEqual(entries.map(({ note }) => note), [
      undefined,
      "phone",
      undefined,
      "closed the page",
      undefined,
    ]);
  });

  it("has earlier pages and idle times as far as this page saw them", () => {
    const seen = new SeenEntries();
    const change = { type: "changed" as const, id: "ann", connections: 1, lastSeenAt: now };
    const page = (path: string) => ({ ...change, page: { path } });
    seen.follow(page("/"), now - 50_000);
    seen.follow({ ...page("/"), activity: { state: "idle", since: now - 45_000 } }, now - 40_000);
    seen.follow({ ...page("/"), activity: { state: "active", since: now - 30_000 } }, now - 30_000);
    seen.follow(page("/pricing"), now - 20_000);
    seen.follow({ ...change, id: "otto", page: { path: "/secret" } }, now);
    const person = snapshot({
      activity: [joined(now - 60_000)],
      presence: {
        since: now - 60_000,
        connections: 1,
        // As the server has it, a moment before the list said so.
        pages: [{ path: "/pricing", since: now - 20_500 }],
        activity: { state: "active", since: now - 30_000, text: "Active" },
      },
    });
    assert.deepEqual(linesOf(person, seen), ["/pricing", "active", "idle", "/", "joined"]);
    assert.equal(timelineOf(person, seen.of("ann")).entries[0].at, now - 20_500);
  });

  it("says that a person is active only after an idle time", () => {
    const person = snapshot({
      activity: [joined(now - hour)],
      presence: {
        since: now - hour,
        connections: 1,
        activity: { state: "active", since: now - 60_000, text: "Active" },
      },
    });
    assert.deepEqual(linesOf(person), ["joined"]);
  });

  it("ends a day back, where the strip begins, and has five entries from before", () => {
    const days = Array.from({ length: 8 }, (_, index) => joined(now - (index + 23) * hour));
    const { entries, earlier } = timelineOf(snapshot({ activity: days }));
    assert.deepEqual(entries.map(({ at }) => now - at), [23 * hour]);
    assert.deepEqual(earlier.map(({ at }) => (now - at) / hour), [24, 25, 26, 27, 28]);
  });

  it("has at most 20 lines, and keeps no more than 40 entries of a person and 1,000 people", () => {
    const seen = new SeenEntries();
    for (let index = 0; index < 100; index++) {
      seen.add("ann", [{ at: now - 100 + index, kind: "page", text: `/${index}` }]);
    }
    assert.equal(seen.of("ann").length, 40);
    const lines = linesOf(snapshot(), seen);
    assert.deepEqual([lines.length, lines[0]], [20, "/99"]);
    for (let index = 0; index < 1_000; index++) {
      seen.add(`${index}`, [{ at: now, kind: "page", text: "/" }]);
    }
    assert.deepEqual([seen.of("ann").length, seen.of("0").length], [0, 1]);
  });
});
