import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import {
  currentSnapshot,
  rowsOf,
  shownPresence,
  snapshotOf,
} from "@/components/live_view/snapshot.ts";
import { initialOnline, type Online } from "@/components/live_view/online.ts";
import { initialPresence, type Presence } from "@/components/presence/presence.ts";
import { onlineTableColumns, type OnlineTableQuery } from "@/shared/online_table.ts";
import { personCalled } from "../../fixtures/doubles.ts";

const listOf = (...people: [id: string, connections: number][]) =>
  new Map(people.map(([id, connections]) => [id, personCalled(id, { connections })]));

describe("what a page shows at one moment", () => {
  it("has the people of the list while the number has no list of its own", () => {
    const byId = listOf(["ada", 2], ["ben", 1]);
    assert.deepEqual(snapshotOf(null, byId, 0), { byId, connections: 3, active: null, guests: 0 });
  });

  it("counts guests apart, where there are any", () => {
    const people = new Map([
      ["ada", personCalled("ada")],
      ["guest-1", personCalled("guest-1", { kind: "guest" })],
    ]);
    assert.equal(snapshotOf(null, people, 0).guests, 1);
  });

  it("counts the active, and knows none while no tab reports it", () => {
    const state = (state: "active" | "idle") => ({ activity: { state, since: 0 } });
    const people = new Map([
      ["ada", personCalled("ada", state("active"))],
      ["ben", personCalled("ben", state("idle"))],
      ["cleo", personCalled("cleo")],
    ]);
    const active = (...ids: string[]) => snapshotOf(new Set(ids), people, 0).active;
    assert.deepEqual([active("ada", "ben", "cleo"), active("ben", "cleo"), active("cleo")], [
      1,
      0,
      null,
    ]);
  });

  it("has neither the name nor the tabs of someone whom the number no longer has", () => {
    const { byId, connections } = snapshotOf(new Set(["ada"]), listOf(["ada", 2], ["ben", 5]), 0);
    assert.deepEqual([[...byId.keys()], connections], [["ada"], 2]);
  });

  it("shows “…” for someone whose name has not come yet", () => {
    const { byId, connections } = snapshotOf(new Set(["ada", "cleo"]), listOf(["ada", 2]), 70);
    const cleo = byId.get("cleo");
    assert.deepEqual([cleo?.name, cleo?.isUnnamed, cleo?.since, connections], ["…", true, 70, 3]);
  });

  it("names a guest at once, by the id", () => {
    const id = `guest-${"0a1b".repeat(8)}`;
    const guest = snapshotOf(new Set([id]), listOf(), 0).byId.get(id);
    assert.deepEqual([guest?.name, guest?.kind, guest?.isUnnamed], ["Guest 0a1b", "guest", false]);
  });

  it("counts someone who is leaving as a user and as one connection", () => {
    const { byId, connections } = snapshotOf(new Set(["ada"]), listOf(["ada", 0]), 0);
    assert.deepEqual([byId.size, connections], [1, 1]);
  });

  it("agrees with the number and has no fewer connections than users, for any number and list", () => {
    const id = fc.constantFrom("a", "b", "c", "d", "e", "f");
    const people = fc.uniqueArray(fc.tuple(id, fc.nat(3)), { selector: ([id]) => id });
    fc.assert(fc.property(fc.uniqueArray(id), people, (members, people) => {
      const { byId, connections } = snapshotOf(new Set(members), listOf(...people), 0);
      assert.deepEqual([...byId.keys()].sort(), members.toSorted());
      assert.ok(connections >= byId.size);
      for (const [id, person] of byId) assert.equal(person.id, id);
    }));
  });

  it("is the same object for all parts of a page", () => {
    const people = { epoch: "one", version: 1, byId: listOf(["ada", 1]) };
    const presence = { members: new Set(["ada", "ben"]), asOf: 5 };
    const one = currentSnapshot(presence, { people, clockAhead: 2 });
    assert.equal(currentSnapshot({ ...presence, asOf: 9 }, { people, clockAhead: 2 }), one);
    assert.equal(one?.byId.get("ben")?.since, 7);
    assert.notEqual(
      currentSnapshot({ ...presence, members: new Set() }, { people, clockAhead: 2 }),
      one,
    );
    assert.equal(currentSnapshot(presence, { people: null, clockAhead: null }), null);
  });
});

describe("the rows of the online table", () => {
  const members = new Set(["ada", "ben", "cleo"]);
  const { byId } = snapshotOf(members, listOf(["ben", 1], ["ada", 1]), 0);
  const listed = (query: Partial<OnlineTableQuery["sort"]>, state: Online["state"]) =>
    rowsOf(byId, {
      search: "",
      sort: { column: query.column ?? "name", descending: query.descending ?? false },
    }, state).map(({ id }) => id);

  it("do not move for someone whose name has not come yet", () => {
    assert.deepEqual(listed({}, "following"), ["ada", "ben"]);
    assert.equal(byId.size, 3);
  });

  it("have the unnamed last in each order while names are late", () => {
    for (const { column } of onlineTableColumns) {
      for (const descending of [false, true]) {
        assert.equal(listed({ column, descending }, "asking").at(-1), "cleo", column);
      }
    }
  });
});

describe("what a page shows of a channel that it does not join", () => {
  const people = { epoch: "one", version: 1, byId: listOf(["ada", 1]) };
  const following: Online = { ...initialOnline, state: "following", people };
  const live: Presence = {
    ...initialPresence(0),
    status: "live",
    joined: true,
    asOf: 9,
    members: new Set(["one", "two"]),
    recovery: null,
  };
  const orders = { pagesChannel: "rollcall.counted.0" };
  const recovery = { expected: 5, startedAt: 0, most: 1, grewAt: 0, uncertainMs: 0 };

  it("is the status of the channel of the users online on all other pages", () => {
    assert.equal(shownPresence({}, live, following), live);
  });

  it("has the people of the list, and not those whom the connection is counted with", () => {
    const shown = shownPresence(orders, live, following);
    assert.deepEqual([shown.status, shown.members], ["live", null]);
    assert.deepEqual([...currentSnapshot(shown, following)!.byId.keys()], ["ada"]);
  });

  for (
    const [expected, presence, online] of [
      ["connecting", live, initialOnline],
      ["reconnecting", live, { ...following, state: "asking", trueAt: Date.now() + 60_000 }],
      ["refused", live, { ...following, state: "refused", problem: "No." }],
      ["recovering", live, { ...following, recovery }],
      ["live", { ...live, status: "recovering", recovery }, following],
      ["stale", { ...live, status: "stale", staleSince: 7 }, {
        ...following,
        recovery,
      }],
      ["offline", { ...live, status: "offline" }, following],
      ["outdated", { ...live, status: "outdated" }, following],
    ] as [Presence["status"], Presence, Online][]
  ) {
    it(`is ${expected} when the connection is ${presence.status} and the list ${online.state}`, () => {
      assert.equal(shownPresence(orders, presence, online).status, expected);
    });
  }

  it("has the reason of the list where the server refused it", () => {
    const refused: Online = { ...following, state: "refused", problem: "No." };
    assert.equal(shownPresence(orders, live, refused).reason, "No.");
  });
});
