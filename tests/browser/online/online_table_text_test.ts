import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { lastSeen } from "../../../browser/online/last_seen.ts";
import { hitsText, roleText, totalsText } from "../../../browser/online/online_table_text.ts";

describe("the words of the online table", () => {
  it("tell admins, users, guests and users of other applications apart", () => {
    assert.deepEqual(
      [
        roleText({ kind: "user", role: "admin" }),
        roleText({ kind: "user", role: "user" }),
        roleText({ kind: "guest", role: null }),
        roleText({ kind: "foreign", role: null }),
      ],
      ["Admin", "User", "Guest", "Other application"],
    );
  });

  it("tell how many there are, and how many match", () => {
    assert.equal(hitsText(1, 1, false), "1 person");
    assert.equal(hitsText(12_345, 12_345, false), "12,345 people");
    assert.equal(hitsText(0, 12, true), "0 of 12 people match");
    assert.equal(hitsText(1, 12, true), "1 of 12 people matches");
  });

  it("put users and connections side by side", () => {
    assert.deepEqual(totalsText(1, 1), ["1 user", "1 connection"]);
    assert.deepEqual(totalsText(42, 1_057), ["42 users", "1,057 connections"]);
  });
});

describe("when somebody was last seen", () => {
  const now = 1_000_000;
  for (
    const [what, connections, lastSeenAt, askedAt, expected] of [
      ["connected, and not asked for yet", 1, 0, undefined, null],
      ["connected and heard of", 1, 0, now - 45_000, null],
      ["connected, but silent for long", 1, 0, now - 45_001, now - 45_001],
      ["connected, and heard of since it was asked", 2, now - 1, now - 60_000, null],
      ["gone a moment ago", 0, now - 900, undefined, now - 900],
      ["gone, having been heard of before that", 0, now - 900, now - 5_000, now - 900],
    ] as const
  ) {
    it(`${what}: ${expected === null ? "now" : "then"}`, () => {
      assert.equal(lastSeen({ connections, lastSeenAt }, askedAt, now), expected);
    });
  }
});
