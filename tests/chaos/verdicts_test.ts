import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import type { Bounds } from "./bounds.ts";
import type { Disturbance, SentChange, Visit } from "./truth/records.ts";
import { judge, type Verdicts } from "./truth/verdicts.ts";

const bounds: Bounds = {
  leaseMs: 10_000,
  heartbeatMs: 1_000,
  graceMs: 1_500,
  drainMs: 500,
  returnMs: 5_000,
  slackMs: 3_000,
};
const room = "presence-room";

function visit(server: string, joinedAt: number, rest: Partial<Visit> = {}): Visit {
  return { user: "ann", room, server, askedAt: joinedAt - 50, joinedAt, ...rest };
}

function sent(type: "added" | "removed", at: number, server = "A"): SentChange {
  return { type, at, server, user: "ann", room, client: "tab 1 of bob" };
}

function judged(
  visits: Visit[],
  changes: SentChange[],
  disturbances: Disturbance[] = [],
): Verdicts {
  return judge({ from: 0, visits, changes, disturbances, lists: [] }, bounds);
}

/** What is violated, without the story. */
function violations(...given: Parameters<typeof judged>): string[] {
  return judged(...given).violations.map(({ text }) => text.split(";")[0]);
}

const there = ["tab 1 of bob on A was sent member_removed of ann in presence-room at"];

function isFalse(found: string[]): boolean {
  return found.length === 1 && found[0].startsWith(there[0]) && found[0].includes("been there for");
}

describe("a user who is announced as gone", () => {
  it("is a violation while connected", () => {
    assert.ok(isFalse(violations([visit("B", 20_000)], [sent("removed", 30_000)])));
  });

  it("is none after the end, and is measured from there", () => {
    const left = visit("B", 20_000, { endedAt: 30_000, ending: "closed" });
    const { measured, violations } = judged([left], [sent("removed", 31_600)]);
    assert.deepEqual(violations, []);
    assert.deepEqual(measured, [{ kind: "left, closed", ms: 1_600, boundMs: 4_500 }]);
  });

  it("is one when it comes later than promised", () => {
    const left = visit("B", 20_000, { endedAt: 30_000, ending: "closed" });
    assert.match(violations([left], [sent("removed", 35_000)])[0], /5\.0 s after the end/);
    const killed = visit("B", 20_000, { endedAt: 30_000, ending: "server killed" });
    assert.deepEqual(violations([killed], [sent("removed", 41_000)]), []);
    assert.equal(violations([killed], [sent("removed", 46_000)]).length, 1);
  });

  it("is a violation while the user moves within the time that each kind of end leaves", () => {
    for (
      const [ending, silentMs] of [
        ["closed", 1_300],
        ["server stopped", 4_700],
        ["server killed", 7_500],
      ] as const
    ) {
      const first = visit("B", 10_000, { endedAt: 30_000, ending });
      const after = (ms: number) => [first, visit("C", 30_000 + ms)];
      const removed = [sent("removed", 45_000)];
      assert.match(violations(after(silentMs), removed).join(), /been there for 35\.0 s/, ending);
      assert.doesNotMatch(violations(after(silentMs + 1), removed).join(), /35\.0 s/, ending);
    }
  });

  it("may come late where events were held up, and not where none were", () => {
    const moved = [
      visit("B", 10_000, { endedAt: 20_000, ending: "closed" }),
      visit("C", 25_000),
    ];
    const frozen: Disturbance = { name: "frozen", from: 20_500, until: 30_000, server: "A" };
    assert.deepEqual(violations(moved, [sent("removed", 31_000)], [frozen]), []);
    assert.ok(isFalse(violations(moved, [sent("removed", 31_000, "A")], [{
      ...frozen,
      server: "D",
    }])));
  });

  it("may come late to clients whose process was frozen, and not to others", () => {
    const moved = [
      visit("B", 10_000, { endedAt: 20_000, ending: "closed" }),
      visit("C", 25_000),
    ];
    const process = "client process 1";
    const frozen: Disturbance = { name: "clients frozen", from: 20_500, until: 30_000, process };
    const removed = sent("removed", 31_000);
    assert.deepEqual(violations(moved, [{ ...removed, process }], [frozen]), []);
    assert.ok(isFalse(violations(moved, [removed], [frozen])));
    assert.ok(isFalse(violations(moved, [{ ...removed, process: "another" }], [frozen])));
  });

  it("has been away for as long as a frozen client keeps its connection", () => {
    const lost = visit("B", 20_000, { endedAt: 32_000, ending: "client frozen" });
    const { measured, violations } = judged([lost], [sent("removed", 48_000)]);
    assert.deepEqual(violations, []);
    assert.deepEqual(measured, [{ kind: "left, client frozen", ms: 16_000, boundMs: 17_500 }]);
    assert.equal(judged([lost], [sent("removed", 50_000)]).violations.length, 1);
  });

  it("is right when the server was partitioned for longer than its lease", () => {
    const cut = { name: "cut", from: 20_000, server: "B", mayEndLease: true };
    const stays = [visit("B", 10_000)];
    assert.deepEqual(
      violations(stays, [sent("removed", 31_000)], [{ ...cut, until: 35_000 }]),
      [],
    );
    assert.ok(isFalse(violations(stays, [sent("removed", 31_000)], [{ ...cut, until: 24_000 }])));
  });

  it("is a violation during an outage of Redis, however long", () => {
    const outage = { name: "Redis frozen", from: 20_000, until: 60_000 };
    assert.ok(isFalse(violations([visit("B", 10_000)], [sent("removed", 61_000)], [outage])));
  });
});

describe("a user who is announced as new", () => {
  it("is a violation when not connected", () => {
    assert.match(violations([], [sent("added", 10_000)])[0], /who is not connected/);
    const left = visit("B", 5_000, { endedAt: 6_000, ending: "closed" });
    assert.match(violations([left], [sent("added", 20_000)])[0], /who is not connected/);
  });

  it("is measured from the answer to the join", () => {
    const { measured, violations } = judged([visit("B", 20_000)], [sent("added", 20_400)]);
    assert.deepEqual(violations, []);
    assert.deepEqual(measured, [{ kind: "join", ms: 400, boundMs: 3_000 }]);
  });

  it("is announced to all clients of a server in one violation", () => {
    const all = [1, 2, 3].map((number) => ({ ...sent("added", 10_000), client: `tab ${number}` }));
    const [{ text }, ...more] = judged([], all).violations;
    assert.match(text, /^[^,]*tab 1 .*and 2 more clients of A\)$/);
    assert.deepEqual(more, []);
  });
});

describe("a list that is sent", () => {
  const sentList = (users: string[]) =>
    judge({
      from: 0,
      changes: [],
      disturbances: [],
      visits: [visit("B", 10_000)],
      lists: [{ at: 30_000, users, room, server: "A", client: "tab 1 of bob" }],
    }, bounds).violations.map(({ text }) => text);

  it("has everyone who is there", () => {
    assert.deepEqual(sentList(["ann"]), []);
    assert.match(sentList([])[0], /ann in .*, a list that lacks the user/);
  });

  it("has no ghosts", () => {
    assert.match(sentList(["ann", "eve"])[0], /eve in .*, who is not connected/);
  });
});

describe("a list after Redis has lost its data", () => {
  const lost = (from: number, until: number): Disturbance => ({
    name: "Redis empty",
    from,
    until,
    losesData: true,
    losesUsers: true,
  });
  const frozen = { name: "frozen", from: 20_000, until: 38_000, server: "B", mayEndLease: true };

  function lacksAnn(at: number, visits: Visit[], disturbances: Disturbance[]): string[] {
    const list = { at, users: [], room, server: "C", client: "tab 1 of bob" };
    const history = { from: 0, visits, changes: [], disturbances, lists: [list] };
    return judge(history, bounds).violations.map(({ text }) => text);
  }

  it("may lack users of a server that could not state them, until that server is back", () => {
    const disturbances = [frozen, lost(21_000, 22_000)];
    const there = [visit("B", 10_000)];
    assert.deepEqual(lacksAnn(26_000, there, disturbances), []);
    assert.deepEqual(lacksAnn(41_900, there, disturbances), []);
    assert.equal(lacksAnn(49_000, there, disturbances).length, 1);
  });

  it("may lack users of all servers until the heartbeat with which they notice the loss", () => {
    const there = [visit("A", 10_000)];
    assert.deepEqual(lacksAnn(25_900, there, [lost(21_000, 21_000)]), []);
    assert.equal(lacksAnn(29_100, there, [lost(21_000, 21_000)]).length, 1);
  });

  it("has the users of a server that is out of touch when nothing was lost", () => {
    const there = [visit("B", 10_000)];
    assert.equal(lacksAnn(26_000, there, [frozen]).length, 1);
    const kept = { ...lost(21_000, 21_500), losesUsers: false };
    assert.equal(lacksAnn(26_000, there, [frozen, kept]).length, 1);
  });

  it("has users who are on a server that could state them", () => {
    const disturbances = [frozen, lost(21_000, 21_100)];
    assert.equal(lacksAnn(29_200, [visit("A", 10_000)], disturbances).length, 1);
    const both = [visit("B", 10_000), visit("A", 12_000)];
    assert.equal(lacksAnn(29_200, both, disturbances).length, 1);
  });

  it("may lack a user of a server that has ended, until the user is on another one", () => {
    const ended = { endedAt: 20_000, ending: "server killed" } as const;
    const moved = [visit("B", 10_000, ended), visit("A", 26_000)];
    assert.deepEqual(lacksAnn(25_000, moved, [lost(21_000, 21_100)]), []);
    assert.equal(lacksAnn(25_000, moved, []).length, 1);
    assert.equal(lacksAnn(35_000, moved, [lost(21_000, 21_100)]).length, 1);
  });
});
