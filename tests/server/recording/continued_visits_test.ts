import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import type { PresenceChange } from "@/server/activity/activity_recorder.ts";
import { type KnownActivity, missingChanges } from "@/server/recording/activity_reconciler.ts";

const channel = "presence-chart";
const [leftAt, now] = [500, 900];

function known(change: Partial<KnownActivity>): KnownActivity {
  const nothing = { open: [], waiting: [], members: [], touched: new Set<string>() };
  return { channel, ...nothing, leftAt, now, ...change };
}

const visit = (userId: string, since = 1) => ({ userId, since, name: null });
const member = (id: string) => ({ id, info: "{}" });

function joined(userId: string): PresenceChange {
  return { channel, change: "joined", at: 1, userId, member: member(userId) };
}

function left(userId: string): PresenceChange {
  return { channel, change: "left", at: 2, userId, member: undefined, reason: "closed" };
}

/** Changes such as "+ada" and "-ben server_lost 500". */
function missing(change: Partial<KnownActivity>): string[] {
  return missingChanges(known(change)).map((missed) =>
    missed.change === "joined"
      ? `+${missed.userId} ${missed.at}`
      : `-${missed.userId} ${missed.reason} ${missed.at}`
  );
}

describe("the changes that are missing in the activity log", () => {
  it("are none for users who have joined and are members still", () => {
    assert.deepEqual(missing({ open: [visit("ada")], members: [member("ada")] }), []);
  });

  it("are leaves of users who are no members, not before they joined", () => {
    const open = [visit("ada", 7), visit("ben", 700)];
    assert.deepEqual(missing({ open }), ["-ada server_lost 500", "-ben server_lost 700"]);
  });

  it("are joins of members who have not joined", () => {
    assert.deepEqual(missing({ members: [member("ada")] }), ["+ada 900"]);
  });

  it("do not concern users of whom the log has more than the members", () => {
    const touched = new Set(["ada", "ben"]);
    assert.deepEqual(missing({ open: [visit("ada")], members: [member("ben")], touched }), []);
  });

  it("are those beyond what waits to be stored, in the same channel", () => {
    assert.deepEqual(missing({ waiting: [joined("ada")], members: [member("ada")] }), []);
    assert.deepEqual(missing({ open: [visit("ada")], waiting: [left("ada")] }), []);
    const elsewhere = { ...joined("ada"), channel: "presence-other" };
    assert.deepEqual(missing({ waiting: [elsewhere], members: [member("ada")] }), ["+ada 900"]);
  });

  it("keep the name that the user's own app gave", () => {
    const [leave] = missingChanges(known({ open: [{ ...visit("ada"), name: "Ada" }] }));
    assert.equal(leave.member?.options?.name, "Ada");
  });

  it("find users whose ids are stored in another form", () => {
    const id = "a\0b";
    const [{ userId }] = missingChanges(known({ waiting: [joined(id)] }));
    assert.notEqual(userId, id);
    assert.deepEqual(missing({ open: [visit(userId)], members: [member(id)] }), []);
  });

  it("make the users who have joined and not left the members, whatever is known", () => {
    const ids = fc.uniqueArray(fc.constantFrom("a", "b", "c", "d", "e"));
    fc.assert(fc.property(ids, ids, fc.array(fc.tuple(fc.boolean(), fc.nat(4))), (...given) => {
      const [open, members, changes] = given;
      const waiting = changes.map(([joins, user]) => (joins ? joined : left)("abcde"[user]));
      const present = new Set<string>(open);
      const missed = missingChanges(
        known({ open: open.map((id) => visit(id)), members: members.map(member), waiting }),
      );
      for (const { change, userId } of [...waiting, ...missed]) {
        if (change === "joined") present.add(userId);
        else present.delete(userId);
      }
      assert.deepEqual([...present].sort(), members.toSorted());
    }));
  });
});
