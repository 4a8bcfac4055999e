import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { lastSeen } from "@/components/online_table/last_seen.ts";
import { hitsText, roleText } from "@/components/live_view/snapshot.ts";

describe("the texts of the online table", () => {
  it("distinguish admins, users and guests, and with several apps the users of your own one", () => {
    assert.deepEqual(
      [
        roleText({ kind: "user", role: "admin" }),
        roleText({ kind: "user", role: "user" }),
        roleText({ kind: "guest", role: null }),
        roleText({ kind: "foreign", role: null }),
        roleText({ kind: "foreign", role: null, source: "Shop" }),
      ],
      ["Admin", "User", "Guest", "User", "Shop"],
    );
  });

  it("have the number of people, and after a search the number of matches", () => {
    assert.equal(hitsText(1, 1, false), "1 person");
    assert.equal(hitsText(12_345, 12_345, false), "12,345 people");
    assert.equal(hitsText(0, 12, true), "0 of 12 people");
    assert.equal(hitsText(1_000, 1_200, true), "1,000 of 1,200 people");
  });
});

describe("the last activity of a person", () => {
  const now = 1_000_000;
  for (
    const [who, connections, lastSeenAt, requestedAt, expected] of [
      ["who is connected, before it was requested", 1, 0, undefined, null],
      ["who is connected, with a sign of life 45 s ago", 1, 0, now - 45_000, null],
      ["who is connected, with a sign of life over 45 s ago", 1, 0, now - 45_001, now - 45_001],
      ["who is connected, with a sign of life after the request", 2, now - 1, now - 60_000, null],
      ["who has left", 0, now - 900, undefined, now - 900],
      ["who has left, with an older time requested", 0, now - 900, now - 5_000, now - 900],
    ] as const
  ) {
    it(`${who}, is ${expected === null ? "now" : "the last sign of life"}`, () => {
      assert.equal(lastSeen({ connections, lastSeenAt }, requestedAt, now), expected);
    });
  }
});
