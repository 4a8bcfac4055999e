import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { grouped } from "../../../browser/page/grouped.ts";
import {
  initialWallboard,
  reduceWallboard,
  type WallboardEvent,
  wallboardSilenceMs,
  type WallboardView,
} from "../../../browser/wallboard/wallboard.ts";

const drawn = { users: 5, connections: 7, at: 1_000 };

function after(...events: WallboardEvent[]): WallboardView {
  return events.reduce(reduceWallboard, initialWallboard(drawn, 0));
}

const counted = (users: number, at: number): WallboardEvent => ({
  type: "counted",
  counted: { users, connections: users, at },
  at,
});

describe("a wallboard", () => {
  it("begins with the number that the server drew, and is not live yet", () => {
    assert.deepEqual([after().status, after().counted.users], ["connecting", 5]);
  });

  it("is live with the last number that came", () => {
    const { status, counted: { users } } = after(counted(6, 10), counted(4, 20));
    assert.deepEqual([status, users], ["live", 4]);
  });

  it("is stale when no sign of life comes, though the connection seems to be open", () => {
    const quiet = (at: number) => after(counted(6, 0), { type: "tick", at }).status;
    assert.equal(quiet(wallboardSilenceMs), "live");
    assert.equal(quiet(wallboardSilenceMs + 1), "stale");
  });

  it("is stale ten seconds after the connection was lost, or did not come", () => {
    const dropped = [counted(6, 0), { type: "dropped", at: 5 }] satisfies WallboardEvent[];
    assert.equal(after(...dropped).status, "reconnecting");
    assert.equal(after(...dropped, { type: "tick", at: 10_005 }).status, "reconnecting");
    assert.equal(after(...dropped, { type: "tick", at: 10_006 }).status, "stale");
    assert.equal(after({ type: "tick", at: 10_001 }).status, "stale");
  });

  it("does not look better than stale while attempts to connect fail", () => {
    const stale = after(counted(6, 0), { type: "tick", at: 60_000 }, {
      type: "dropped",
      at: 60_001,
    });
    assert.equal(stale.status, "stale");
    assert.equal(stale.counted.users, 6);
    assert.equal(reduceWallboard(stale, counted(1, 70_000)).status, "live");
  });

  it("stays revoked whatever comes", () => {
    const revoked = after(counted(6, 0), { type: "revoked", at: 1 }, counted(7, 2), {
      type: "tick",
      at: 99_999,
    });
    assert.deepEqual([revoked.status, revoked.counted.users], ["revoked", 6]);
  });

  it("is the same object when nothing changed", () => {
    const live = after(counted(6, 0));
    assert.equal(reduceWallboard(live, { type: "tick", at: 1 }), live);
  });
});

describe("a large number", () => {
  it("has a narrow space between thousands from five digits on", () => {
    const words = [0, 999, 9_999, 12_345, 123_456, 1_234_567].map(grouped);
    assert.deepEqual(words.map((text) => text.replaceAll("\u202f", "_")), [
      "0",
      "999",
      "9999",
      "12_345",
      "123_456",
      "1_234_567",
    ]);
  });
});
