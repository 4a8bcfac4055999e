import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import type { User } from "@/server/accounts/accounts.ts";
import { matchPeople } from "@/server/activity/activity_query.ts";

const [ada, ben, bendix, ruben] = ["Ada Bell", "Ben", "Bendix", "Ruben"].map((
  name,
  index,
): User => ({
  id: String(index).repeat(32),
  name,
  email: `${name.split(" ")[0].toLowerCase()}@x.org`,
  role: "user",
  disabled: false,
  createdAt: new Date(0),
}));
const accounts = [ada, ben, bendix, ruben];

/** The users whose own app gave them names that begin with a text. */
function named(text: string): Promise<string[]> {
  return Promise.resolve(text === "ben" ? ["7"] : text === "zoe" ? ["8"] : []);
}

/** A row: what is typed, and whom it means. */
const table: [text: string, filter: object][] = [
  ["ben", { userId: [ben.id, bendix.id, ruben.id, "7", "ben"] }],
  [" BELL ", { userId: [ada.id, "BELL"] }],
  ["zoe", { userId: ["8", "zoe"] }],
  ["ben@x.org", { userId: [ben.id] }],
  [bendix.id, { userId: [bendix.id] }],
  ["Guest 3f2A", { guestIdStart: "guest-3f2a" }],
  [`guest-${"3f2a".repeat(8)}`, { guestIdStart: `guest-${"3f2a".repeat(8)}` }],
  ["Guest of honour", { userId: "Guest of honour" }],
  ["42", { userId: "42" }],
];

describe("the person filter of the activity log", () => {
  for (const [text, filter] of table) {
    it(`resolves ${JSON.stringify(text)}`, async () => {
      assert.deepEqual((await matchPeople(text, accounts, named)).filter, filter);
    });
  }

  it("is null when more than 500 people match", async () => {
    const many = Array.from({ length: 501 }, () => ben);
    assert.equal((await matchPeople("ben", many, named)).filter, null);
    const ids = (_: string, limit: number) => Promise.resolve(Array(limit).fill("7"));
    assert.equal((await matchPeople("zoe", accounts, ids)).filter, null);
  });
});
