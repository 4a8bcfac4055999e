import { strict as assert } from "node:assert";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { countedMs, visitsOf } from "@/server/people/visits.ts";
import type { ActivityEntry } from "@/server/activity/activity_log.ts";

const hour = 3_600_000;
const day = 24 * hour;
const at = 40 * day;
const since = 10 * day;

type Change = { at: number; change: "joined" | "left"; channel?: string };

/** The visits of changes, oldest first. */
function visits(changes: Change[], onlineSince: number | null = null) {
  const entries = changes.map(({ channel = "presence-chart", ...change }): ActivityEntry => {
    const entry = { channel, at: change.at, userId: "ann", kind: "foreign", name: null } as const;
    return change.change === "joined"
      ? { ...entry, change: "joined" }
      : { ...entry, change: "left", reason: "closed" };
  });
  return visitsOf(entries.toReversed(), { since, at, onlineSince });
}

const joined = (at: number, channel?: string): Change => ({ at, change: "joined", channel });
const left = (at: number, channel?: string): Change => ({ at, change: "left", channel });

describe("the visits of a person", () => {
  it("are counted, with their time in all and the median", () => {
    const three = [1, 2, 6].flatMap((hours, index) => {
      const from = since + index * day;
      return [joined(from), left(from + hours * hour)];
    });
    const { ofLastDay, ...sums } = visits(three);
    assert.deepEqual(sums, { since, count: 3, totalMs: 9 * hour, medianMs: 2 * hour });
    assert.deepEqual(ofLastDay, []);
    assert.equal(visits(three.slice(0, 4)).medianMs, 1.5 * hour, "of an even number");
  });

  it("go on while the person is online, and are drawn for the last 24 hours", () => {
    const entries = [joined(at - 30 * hour), left(at - 20 * hour), joined(at - hour)];
    const { count, totalMs, ofLastDay } = visits(entries, at - hour);
    assert.deepEqual([count, totalMs], [2, 11 * hour]);
    assert.deepEqual(ofLastDay, [
      { from: at - day, until: at - 20 * hour },
      { from: at - hour, until: at },
    ]);
  });

  it("are one while the person is in any of several channels", () => {
    const { count, totalMs } = visits([
      joined(at - 5 * hour, "a"),
      joined(at - 4 * hour, "b"),
      left(at - 3 * hour, "a"),
      left(at - 2 * hour, "b"),
    ]);
    assert.deepEqual([count, totalMs], [1, 3 * hour]);
  });

  it("begin no earlier than what is counted, and are left out when their end was never recorded", () => {
    assert.deepEqual(visits([left(since + hour)]).totalMs, hour, "it began before");
    assert.equal(visits([], since - day).totalMs, at - since, "online all the time");
    assert.equal(visits([joined(at - 3 * hour), joined(at - hour), left(at)]).totalMs, hour);
    assert.equal(visits([joined(at - hour)]).count, 0, "offline without a leave");
    assert.equal(visits([joined(since - 2), left(since - 1)]).count, 0, "before that");
  });

  it("last as long as each minute in which the person was in a channel", () => {
    const stay = fc.record({
      channel: fc.constantFrom("a", "b"),
      from: fc.integer({ min: 1, max: 200 }),
      minutes: fc.integer({ min: 1, max: 60 }),
    });
    fc.assert(fc.property(fc.array(stay, { maxLength: 12 }), (stays) => {
      const ends = new Map<string, number>();
      const online = new Set<number>();
      const changes: Change[] = [];
      for (const { channel, from, minutes } of stays.toSorted((a, b) => a.from - b.from)) {
        if (from <= (ends.get(channel) ?? 0)) continue;
        ends.set(channel, from + minutes);
        changes.push(
          joined(since + from * 60_000, channel),
          left(since + (from + minutes) * 60_000, channel),
        );
        for (let minute = from; minute < from + minutes; minute++) online.add(minute);
      }
      const { totalMs } = visits(changes.toSorted((a, b) => a.at - b.at));
      assert.equal(totalMs, online.size * 60_000);
    }));
  });

  it("are counted for 30 days, or as long as activity is kept", () => {
    assert.equal(countedMs({ activityDays: 90 }), 30 * day);
    assert.equal(countedMs({ activityDays: 7 }), 7 * day);
    // All of it is kept.
    assert.equal(countedMs({ activityDays: 0 }), 30 * day);
  });
});
