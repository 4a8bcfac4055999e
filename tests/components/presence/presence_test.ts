import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import {
  initialPresence,
  needsBanner,
  type Presence,
  type PresenceEvent,
  reconnectingMs,
  reducePresence,
  silenceMs,
} from "@/components/presence/presence.ts";

const start = 1_000_000;

function after(...events: PresenceEvent[]): Presence {
  return events.reduce(reducePresence, initialPresence(start));
}

const here = (at: number, ...ids: string[]): PresenceEvent => ({ type: "here", ids, at });

describe("the count", () => {
  it("is null before the first list", () => {
    assert.equal(after().users, null);
    assert.equal(after({ type: "received", at: start }).users, null);
  });

  it("is the length of the list of a successful subscription", () => {
    assert.equal(after(here(start, "a", "b", "c")).users, 3);
  });

  it("goes up by one for a join and down by one for a leave", () => {
    assert.equal(after(here(start, "a"), here(start, "a", "b")).users, 2);
    assert.equal(after(here(start, "a", "b"), here(start, "b")).users, 1);
  });

  it("takes the list of a new subscription instead of the previous one", () => {
    assert.equal(after(here(start, "a", "b", "c"), here(start, "d")).users, 1);
  });

  it("counts an id once that is in the list twice", () => {
    assert.equal(after(here(start, "a", "b", "b")).users, 2);
  });

  it("has the guests among its ids, or as many as the server tells", () => {
    const guest = `guest-${"0".repeat(32)}`;
    assert.equal(after().guests, undefined);
    assert.equal(after(here(start, "a", guest, "guest-1")).guests, 1);
    const counted = { type: "counted", at: start, users: 235 } as const;
    assert.equal(after(here(start, guest), { ...counted, guests: 204 }).guests, 204);
    assert.equal(after({ ...counted, guests: 204 }, counted).guests, 0);
  });

  it("is that of the last list after any events in any order", () => {
    const id = fc.constantFrom("a", "b", "c", "__proto__", "constructor", "1");
    const event: fc.Arbitrary<PresenceEvent> = fc.oneof(
      fc.record({ type: fc.constant("here" as const), ids: fc.array(id), at: fc.nat() }),
      fc.record({ type: fc.constant("counted" as const), users: fc.nat(), at: fc.nat() }),
      fc.record({
        type: fc.constantFrom(
          ...["received", "dropped", "silent", "offline", "online"] as const,
        ),
        at: fc.nat(),
      }),
      fc.record({ type: fc.constant("tick" as const), at: fc.nat() }),
      fc.record({ type: fc.constant("refused" as const), reason: fc.string(), at: fc.nat() }),
    );
    fc.assert(
      fc.property(fc.array(event), (events) => {
        const { users, members } = after(...events);
        assert.equal(users, modelCount(events));
        assert.equal(members?.size, lastNumber(events)?.type === "here" ? users : undefined);
      }),
      { numRuns: 1_000 },
    );
  });
});

function lastNumber(events: PresenceEvent[]): PresenceEvent | undefined {
  return events.findLast(({ type }) => type === "here" || type === "counted");
}

function modelCount(events: PresenceEvent[]): number | null {
  const last = lastNumber(events);
  if (last?.type === "here") return new Set(last.ids).size;
  return last?.type === "counted" ? last.users : null;
}

describe("the status of the count", () => {
  const live = here(start, "a", "b");
  const dropped = { type: "dropped", at: start + 5_000 } as const;

  it("starts as connecting and is live with the first list", () => {
    assert.equal(after().status, "connecting");
    assert.equal(after({ type: "received", at: start }).status, "connecting");
    assert.equal(after(live).status, "live");
  });

  it("is reconnecting after a loss, with the last number and its time", () => {
    const presence = after(live, { type: "received", at: start + 2_000 }, dropped);
    assert.equal(presence.status, "reconnecting");
    assert.equal(presence.users, 2);
    assert.equal(presence.asOf, start + 2_000);
  });

  it("stays reconnecting until the new list arrives", () => {
    const presence = after(live, dropped, { type: "received", at: start + 6_000 });
    assert.equal(presence.status, "reconnecting");
    assert.equal(presence.asOf, start);
  });

  it("is live with the new number once the new list arrives", () => {
    const presence = after(live, dropped, here(start + 7_000, "a"));
    assert.equal(presence.status, "live");
    assert.equal(presence.users, 1);
    assert.equal(presence.asOf, start + 7_000);
  });

  it("is outdated when reconnecting takes too long, and stays so during further attempts", () => {
    const tick = (at: number) => ({ type: "tick", at }) as const;
    const late = dropped.at + reconnectingMs;
    assert.equal(after(live, dropped, tick(late)).status, "reconnecting");
    const outdated = [live, dropped, tick(late + 1)];
    assert.equal(after(...outdated).status, "outdated");
    assert.equal(after(...outdated, { type: "dropped", at: late + 2 }).status, "outdated");
    assert.equal(after(...outdated, here(late + 3, "a")).status, "live");
  });

  it("says why the server refuses the page, for as long as it does", () => {
    const reason = "Refused.";
    const late = start + reconnectingMs + 1;
    const refused = [{ type: "dropped", at: start, reason }, { type: "tick", at: late }] as const;
    assert.deepEqual([after(...refused).status, after(...refused).reason], ["outdated", reason]);
    const again = { type: "dropped", at: late + 1, reason } as const;
    assert.equal(after(...refused, again).reason, reason);
    assert.equal(after(...refused, again, here(late + 2, "a")).reason, "");
  });

  it("is outdated when the first connection takes too long", () => {
    assert.equal(after({ type: "tick", at: start + reconnectingMs + 1 }).status, "outdated");
  });

  it("is outdated when an open connection is silent, and live after the next frame", () => {
    const silent = [live, { type: "tick", at: start + silenceMs + 1 }] as PresenceEvent[];
    assert.equal(after(live, { type: "tick", at: start + silenceMs }).status, "live");
    assert.equal(after(...silent).status, "outdated");
    assert.equal(after(...silent).asOf, start);
    const speaking = after(...silent, { type: "received", at: start + silenceMs + 2 });
    assert.equal(speaking.status, "live");
    assert.equal(speaking.asOf, start + silenceMs + 2);
  });

  it("is outdated ten seconds after the first loss, although attempts fail meanwhile", () => {
    const again = { type: "dropped", at: dropped.at + 9_000 } as const;
    assert.equal(
      after(live, dropped, again, { type: "tick", at: dropped.at + 10_001 }).status,
      "outdated",
    );
  });

  it("is outdated after a minute without a frame", () => {
    assert.equal(after(live, { type: "tick", at: start + 60_000 }).status, "outdated");
  });

  it("is reconnecting when the server is silent, and live with its next frame", () => {
    const silent = [live, { type: "silent", at: start + 10_000 }] satisfies PresenceEvent[];
    assert.equal(after(...silent).status, "reconnecting");
    assert.equal(after(...silent, { type: "tick", at: start + 20_001 }).status, "outdated");
    assert.equal(after(...silent, { type: "received", at: start + 20_002 }).status, "live");
    assert.equal(after({ type: "silent", at: start }).status, "connecting");
  });

  it("is offline at once, and not live by frames that were under way", () => {
    const offline = [live, { type: "offline", at: start + 5_000 }] satisfies PresenceEvent[];
    assert.equal(after(...offline).status, "offline");
    const received = (at: number) => ({ type: "received", at }) as const;
    const underway = after(...offline, received(start + 6_999));
    assert.deepEqual([underway.status, underway.asOf], ["offline", start + 6_999]);
    // A server on the same device goes on without a network.
    assert.equal(after(...offline, received(start + 7_000)).status, "live");
  });

  it("is offline until the network is back, whatever becomes of the connection", () => {
    const offline = [live, { type: "offline", at: start }, dropped] satisfies PresenceEvent[];
    assert.equal(after(...offline, { type: "tick", at: start + 99_000 }).status, "offline");
    const online = [...offline, { type: "online", at: start + 99_000 }] satisfies PresenceEvent[];
    assert.equal(after(...online).status, "reconnecting");
    assert.equal(after(...online, here(start + 100_000, "a")).status, "live");
    assert.equal(after(live, { type: "online", at: start }).status, "live");
  });

  it("stays refused when the device goes offline", () => {
    const refused = { type: "refused", reason: "Full.", at: start } as const;
    assert.equal(after(live, refused, { type: "offline", at: start }).reason, "Full.");
  });

  it("is refused with the reason until a list arrives", () => {
    const refused = { type: "refused", reason: "Sign in again.", at: start } as const;
    assert.equal(after(live, refused).status, "refused");
    assert.equal(after(live, refused).reason, "Sign in again.");
    assert.equal(after(live, refused).users, 2);
    const admitted = after(refused, live);
    assert.equal(admitted.status, "live");
    assert.equal(admitted.reason, "");
  });
});

describe("the recovery of the count", () => {
  const recovery = { expected: 3, startedAt: start, most: 1, grewAt: start, uncertainMs: 0 };
  const back = (at: number, ...ids: string[]): PresenceEvent => ({
    type: "here",
    ids,
    recovery,
    at: start + at,
  });
  const tick = (at: number) => ({ type: "tick", at: start + at }) as const;

  it("begins with the first list of a connection, if the server says so", () => {
    assert.equal(after(back(0, "a")).status, "recovering");
    assert.equal(after(here(start, "a")).status, "live");
  });

  it("is over when as many are back as before", () => {
    const growing = [back(0, "a"), back(1_000, "a", "b")];
    assert.equal(after(...growing).status, "recovering");
    const over = after(...growing, back(2_000, "a", "b", "c"));
    assert.deepEqual([over.status, over.recovery], ["live", null]);
  });

  it("is not over while the list may have users of servers that ended", () => {
    const uncertain = { ...recovery, uncertainMs: 12_000 };
    const first = { ...back(0, "a", "b", "c"), recovery: uncertain };
    const fewer = [first, back(5_000, "a", "b")];
    assert.deepEqual(
      [first, ...fewer].map((_, index, all) => after(...all.slice(0, index + 1)).status),
      ["recovering", "recovering", "recovering"],
    );
    assert.equal(after(...fewer, tick(12_000)).status, "recovering");
    assert.equal(after(...fewer, back(13_000, "a", "b", "c")).status, "live");
    assert.equal(after(first, tick(11_999)).status, "recovering");
    assert.equal(after(first, tick(12_000)).status, "live", "all of them are back");
  });

  it("stays over when users leave later", () => {
    const over = [back(0, "a"), back(2_000, "a", "b", "c")];
    assert.equal(after(...over, back(3_000, "a")).status, "live");
    assert.equal(after(...over, back(3_000, "a"), tick(4_000)).status, "live");
  });

  it("is over by time, without a frame", () => {
    assert.equal(after(back(0, "a"), tick(29_999)).status, "recovering");
    const over = after(back(0, "a"), tick(30_000));
    assert.deepEqual([over.status, over.recovery], ["live", null]);
  });

  it("goes on after a silence of the server", () => {
    const silent = { type: "silent", at: start + 10_000 } as const;
    const received = { type: "received", at: start + 11_000 } as const;
    assert.equal(after(back(0, "a"), silent).status, "reconnecting");
    assert.equal(after(back(0, "a"), silent, received).status, "recovering");
  });

  it("is that of the last connection", () => {
    const dropped = { type: "dropped", at: start + 1_000 } as const;
    assert.equal(after(here(start, "a", "b", "c"), dropped, back(2_000, "a")).status, "recovering");
    assert.equal(after(back(0, "a"), dropped, here(start + 2_000, "a")).status, "live");
  });
});

describe("the count of a server that is partitioned from the others", () => {
  const stale = (since: number | null, at = 1_000): PresenceEvent => ({
    type: "stale",
    since,
    at: start + at,
  });
  const received = { type: "received", at: start + 2_000 } as const;

  it("is stale since the time that the server says, until the server says that it changes", () => {
    const partitioned = after(here(start, "a"), stale(7), received);
    assert.deepEqual([partitioned.status, partitioned.staleSince, partitioned.users], [
      "stale",
      7,
      1,
    ]);
    const over = after(here(start, "a"), stale(7), stale(null));
    assert.deepEqual([over.status, over.staleSince], ["live", null]);
  });

  it("is stale where the event comes before the first number", () => {
    assert.equal(after(stale(7), here(start + 1_001, "a")).status, "stale");
  });

  it("is stale where the page waits for its first number, and is connecting again afterwards", () => {
    const waiting = [stale(7), received];
    assert.deepEqual([after(...waiting).status, after(...waiting).users], ["stale", null]);
    assert.equal(after(...waiting, { type: "tick", at: start + 40_000 }).status, "stale");
    assert.equal(after(...waiting, { type: "tick", at: start + 60_000 }).status, "outdated");
    const over = [...waiting, stale(null, 3_000)];
    assert.equal(after(...over).status, "connecting");
    assert.equal(after(...over, here(start + 3_100, "a")).status, "live");
    const dropped = { type: "dropped", at: start + 1_000 } as const;
    const rejoining = [here(start, "a"), dropped, stale(7, 1_500), stale(null, 1_600)];
    assert.equal(after(...rejoining).status, "reconnecting");
    const refused = { type: "refused", reason: "No.", at: start } as const;
    assert.equal(after(refused, stale(7)).status, "refused");
  });

  it("is stale and not recovering, and recovers afterwards", () => {
    const recovery = { expected: 3, startedAt: start, most: 1, grewAt: start, uncertainMs: 0 };
    const recovering: PresenceEvent = { type: "here", ids: ["a"], recovery, at: start };
    assert.equal(after(recovering, stale(7)).status, "stale");
    assert.equal(after(recovering, stale(7), stale(null)).status, "recovering");
  });

  it("is out of date when the connection is lost too, and may be live on another server", () => {
    const partitioned = [here(start, "a"), stale(7)];
    const dropped = { type: "dropped", at: start + 2_000 } as const;
    assert.equal(
      after(...partitioned, { type: "silent", at: start + 2_000 }).status,
      "reconnecting",
    );
    assert.equal(after(...partitioned, dropped).status, "reconnecting");
    assert.equal(after(...partitioned, dropped, here(start + 3_000, "a")).status, "live");
    assert.equal(after(...partitioned, { type: "tick", at: start + 60_000 }).status, "outdated");
  });

  it("has no banner: the connection is there", () => {
    assert.ok(!needsBanner(after(here(start, "a"), stale(7)), start + 90_000));
  });
});

describe("the banner", () => {
  const live = here(start, "a");
  const banner = (at: number, ...events: PresenceEvent[]) =>
    needsBanner(after(...events), start + at);

  it("shows after twenty seconds without an update, whatever the cause", () => {
    for (const type of ["dropped", "silent"] as const) {
      const event: PresenceEvent = { type, at: start + 1_000 };
      assert.ok(!banner(20_000, live, event), type);
      assert.ok(banner(20_001, live, event), type);
    }
    assert.ok(banner(20_001), "of a page that never connected");
  });

  it("shows at once on a device that is offline", () => {
    assert.ok(banner(1_000, live, { type: "offline", at: start + 1_000 }));
  });

  it("does not show while the number is up to date, nor with a reason why it is not", () => {
    assert.ok(!banner(40_000, live));
    assert.ok(!banner(40_000, live, { type: "refused", reason: "Full.", at: start }));
  });
});
