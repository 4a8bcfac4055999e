import assert from "node:assert/strict";
import { beforeEach, describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import type { Core } from "@/server/core.ts";
import type { FollowedChannel } from "@/server/live_view/counted_channel.ts";
import { SummaryPublisher } from "@/server/live_view/summary_publisher.ts";
import type { ChannelPresence } from "@/server/presence/channel_presence.ts";
import type { LogEntry } from "@/realtime/server.ts";
import type { CountedTotals } from "@/shared/counted.ts";
import type { OnlineSummary } from "@/shared/large_channel.ts";
import type { Activity } from "@/shared/online.ts";
import { totalsChannel } from "@/server/presence/channels.ts";
import { TotalsPublisher } from "@/server/live_view/totals_publisher.ts";
import { ManualClock } from "../../realtime/manual_clock.ts";
import { partOf } from "../../fixtures/doubles.ts";

describe("the summaries of a large channel", () => {
  let clock: ManualClock;
  let published: (OnlineSummary & { sentAt: number })[];
  let logged: LogEntry[];
  let isWatched: boolean;
  let isBroken: boolean;
  let users: number;
  let publisher: SummaryPublisher;
  beforeEach(() => {
    clock = new ManualClock();
    [published, logged, isWatched, isBroken, users] = [[], [], true, false, 9];
    const presence: ChannelPresence = partOf({
      get counts() {
        return { users, connections: users + 1 };
      },
      active: 4,
    });
    publisher = new SummaryPublisher(partOf({
      presence,
      isWatched: () => isWatched,
      publishSummary: (summary) => {
        if (isBroken) throw new Error("too large");
        published.push({ ...summary, sentAt: clock.now() });
      },
      clock,
      log: (entry) => logged.push(entry),
    }));
  });

  const entry = (at: number, change: "joined" | "left", name = "Ada"): Activity => {
    const line = { at, id: `user-${at}`, kind: "foreign" as const, name };
    return change === "joined" ? { ...line, change } : { ...line, change, reason: "closed" };
  };

  it("come at once after a calm time, and always with the last number", () => {
    publisher.changed();
    clock.advance(0);
    for (users of [10, 11, 12]) publisher.changed();
    clock.advance(250);
    clock.advance(10_000);
    assert.deepEqual(published.map(({ users, sentAt }) => [users, sentAt]), [[9, 0], [12, 250]]);
  });

  it("are at most four a second, 7 KB each, and tell all who joined and left, whatever happens", () => {
    const change = fc.record({
      afterMs: fc.nat(40),
      isJoin: fc.boolean(),
      name: fc.constantFrom("Ada", "Ł".repeat(1_000), '"\\\u0000'.repeat(200)),
    });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 400 }), (changes) => {
        published = [];
        let [joined, left] = [0, 0];
        for (const { afterMs, isJoin, name } of changes) {
          clock.advance(afterMs);
          publisher.activityStored([entry(clock.now(), isJoin ? "joined" : "left", name)]);
          if (isJoin) joined++;
          else left++;
        }
        clock.advance(250);
        const sum = (count: (summary: OnlineSummary) => number) =>
          published.reduce((total, summary) => total + count(summary), 0);
        assert.deepEqual([sum(({ joined }) => joined), sum(({ left }) => left)], [joined, left]);
        for (const [index, summary] of published.entries()) {
          assert.ok(new TextEncoder().encode(JSON.stringify(summary)).length < 7_000);
          assert.ok(summary.activity.length <= 20);
          assert.deepEqual(summary.activity, summary.activity.toSorted((a, b) => a.at - b.at));
          if (index > 0) assert.ok(summary.sentAt - published[index - 1].sentAt >= 250);
        }
      }),
      { numRuns: 50 },
    );
  });

  it("have the last 20 joins and leaves, oldest first, and the number of all", () => {
    const entries = Array.from({ length: 30 }, (_, at) => entry(at, "joined"));
    publisher.activityStored(entries.slice(0, 12), { joined: 5, left: 2 });
    publisher.activityStored(entries.slice(12));
    clock.advance(0);
    assert.deepEqual([published[0].joined, published[0].left], [35, 2]);
    assert.deepEqual(published[0].activity.map(({ at }) => at), [
      ...Array.from({ length: 20 }, (_, index) => index + 10),
    ]);
  });

  it("are not made while no page is open, and what happened then is in none", () => {
    isWatched = false;
    publisher.activityStored([entry(1, "joined")]);
    publisher.changed();
    assert.equal(clock.timers, 0);
    isWatched = true;
    publisher.changed();
    clock.advance(0);
    assert.deepEqual([published[0].joined, published[0].activity], [0, []]);
    publisher.activityStored([entry(2, "left")]);
    isWatched = false;
    clock.advance(10_000);
    isWatched = true;
    publisher.changed();
    clock.advance(0);
    assert.deepEqual(published.map(({ left }) => left), [0, 0]);
  });

  it("continue after one could not be published, which is logged", () => {
    isBroken = true;
    publisher.changed();
    clock.advance(0);
    isBroken = false;
    publisher.changed();
    clock.advance(250);
    assert.deepEqual([logged.length, published.length], [1, 1]);
  });

  it("end with a stop", () => {
    publisher.changed();
    publisher.stop();
    publisher.changed();
    publisher.activityStored([entry(1, "joined")]);
    clock.advance(10_000);
    assert.deepEqual([published, clock.timers], [[], 0]);
  });
});

/** A publisher whose number the test sets. */
function simulate() {
  const clock = new ManualClock();
  const [a, b] = [["a"], ["b"]].map((keys) => totalsChannel(keys.map((key) => ({ key }))));
  const both = totalsChannel([{ key: "a" }, { key: "b" }]);
  const state = { users: 0, counted: 0, watched: [a], fails: false };
  const published: [channel: string, users: number][] = [];
  const sent = new Map<string, CountedTotals["channels"]>();
  const logged: LogEntry[] = [];
  const presence: ChannelPresence = partOf({
    get now() {
      state.counted++;
      if (state.fails) throw new Error("no totals");
      const userIds = Array.from({ length: state.users }, (_, index) => `${index}`);
      return { users: state.users, connections: state.users, userIds };
    },
  });
  const core: Core = partOf({
    ownApp: partOf({ isOccupied: (channel) => state.watched.includes(channel) }),
    broadcastHere(channel, _name, totals) {
      const { channels, users } = totals as CountedTotals;
      sent.set(channel, channels);
      published.push([channel, users]);
    },
  });
  const channels = ["a", "b"].map((pagesChannel): FollowedChannel =>
    partOf({ key: pagesChannel, appId: "app", pagesChannel, presence })
  );
  const publisher = new TotalsPublisher(core, channels, (entry) => logged.push(entry), clock);
  const change = (users: number) => {
    state.users = users;
    publisher.changed();
  };
  publisher.joined(a);
  clock.advance(1_000);
  published.length = state.counted = 0;
  return { a, b, both, clock, state, published, logged, publisher, sent, change };
}

describe("the publisher of the sum of users", () => {
  it("publishes the first change at once, then at most twice a second, and the last one always", () => {
    const { a, clock, change, published } = simulate();
    change(1);
    clock.advance(0);
    for (const users of [2, 3, 4]) change(users);
    clock.advance(499);
    assert.deepEqual(published, [[a, 1]]);
    clock.advance(1);
    assert.deepEqual(published, [[a, 1], [a, 4]]);
    clock.advance(10_000);
    assert.equal(published.length, 2);
  });

  it("publishes to every page that is open, and counts nothing while none is", () => {
    const { both, clock, change, published, publisher, state } = simulate();
    state.watched = [];
    change(1);
    clock.advance(1_000);
    assert.deepEqual([published, state.counted, clock.timers], [[], 0, 0]);
    state.watched = [both];
    publisher.joined(both);
    clock.advance(1_000);
    assert.deepEqual([published, state.counted], [[[both, 1]], 2]);
    change(3);
    state.watched = [];
    clock.advance(1_000);
    assert.equal(state.counted, 2);
  });

  it("tells a page of those channels only that are in the name of its channel", () => {
    const { a, b, both, clock, publisher, sent, state } = simulate();
    state.watched = [a, b, both];
    for (const channel of [b, both]) publisher.joined(channel);
    clock.advance(1_000);
    const keysOn = (channel: string) => sent.get(channel)?.map(({ key }) => key);
    assert.deepEqual([a, b, both].map(keysOn), [["a"], ["b"], ["a", "b"]]);
  });

  it("goes on after a failure, and publishes nothing after its stop", () => {
    const { a, clock, change, published, logged, publisher, state } = simulate();
    state.fails = true;
    change(1);
    clock.advance(1_000);
    assert.deepEqual(logged.map(({ message }) => message), [
      "The sum of users could not be published",
    ]);
    state.fails = false;
    change(2);
    clock.advance(1_000);
    assert.deepEqual(published, [[a, 2]]);
    change(3);
    publisher.stop();
    change(4);
    clock.advance(1_000);
    assert.deepEqual([published.length, clock.timers], [1, 0]);
  });
});
