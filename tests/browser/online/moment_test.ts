import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { currentMoment, momentOf } from "../../../browser/online/moment.ts";
import { personCalled } from "../../fixtures/online_people.ts";

const listOf = (...people: [id: string, connections: number][]) =>
  new Map(people.map(([id, connections]) => [id, personCalled(id, { connections })]));

describe("what a page shows at one moment", () => {
  it("has the people of the list while the number has no list of its own", () => {
    const byId = listOf(["ada", 2], ["ben", 1]);
    assert.deepEqual(momentOf(null, byId, 0), { byId, connections: 3 });
  });

  it("has neither the name nor the tabs of someone whom the number no longer has", () => {
    const { byId, connections } = momentOf(new Set(["ada"]), listOf(["ada", 2], ["ben", 5]), 0);
    assert.deepEqual([[...byId.keys()], connections], [["ada"], 2]);
  });

  it("has a placeholder for someone whose name has not come yet", () => {
    const { byId, connections } = momentOf(new Set(["ada", "cleo"]), listOf(["ada", 2]), 70);
    const cleo = byId.get("cleo");
    assert.deepEqual([cleo?.name, cleo?.isUnnamed, cleo?.since, connections], ["…", true, 70, 3]);
  });

  it("names a guest at once, by the id", () => {
    const id = `guest-${"0a1b".repeat(8)}`;
    const guest = momentOf(new Set([id]), listOf(), 0).byId.get(id);
    assert.deepEqual([guest?.name, guest?.kind, guest?.isUnnamed], ["Guest 0a1b", "guest", false]);
  });

  it("counts someone who is leaving as a user and as one connection", () => {
    const { byId, connections } = momentOf(new Set(["ada"]), listOf(["ada", 0]), 0);
    assert.deepEqual([byId.size, connections], [1, 1]);
  });

  it("agrees with the number and has no fewer connections than users, for any number and list", () => {
    const id = fc.constantFrom("a", "b", "c", "d", "e", "f");
    const people = fc.uniqueArray(fc.tuple(id, fc.nat(3)), { selector: ([id]) => id });
    fc.assert(fc.property(fc.uniqueArray(id), people, (members, people) => {
      const { byId, connections } = momentOf(new Set(members), listOf(...people), 0);
      assert.deepEqual([...byId.keys()].sort(), members.toSorted());
      assert.ok(connections >= byId.size);
      for (const [id, person] of byId) assert.equal(person.id, id);
    }));
  });

  it("is the same object for all parts of a page", () => {
    const people = { version: 1, byId: listOf(["ada", 1]) };
    const presence = { members: new Set(["ada", "ben"]), asOf: 5 };
    const one = currentMoment(presence, { people, clockAhead: 2 });
    assert.equal(currentMoment({ ...presence, asOf: 9 }, { people, clockAhead: 2 }), one);
    assert.equal(one?.byId.get("ben")?.since, 7);
    assert.notEqual(
      currentMoment({ ...presence, members: new Set() }, { people, clockAhead: 2 }),
      one,
    );
    assert.equal(currentMoment(presence, { people: null, clockAhead: null }), null);
  });
});
