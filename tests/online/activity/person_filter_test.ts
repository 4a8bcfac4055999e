import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import type { User } from "../../../accounts/accounts.ts";
import { matchPeople } from "../../../online/activity/person_filter.ts";

const [ada, ben, bendix, ruben] = ["Ada Bell", "Ben", "Bendix", "Ruben"].map((
  name,
  index,
): User => ({
  ...{ id: String(index).repeat(32), name, email: `${name.split(" ")[0].toLowerCase()}@x.org` },
  ...{ role: "user", disabled: false, createdAt: new Date(0) },
}));
const accounts = [ada, ben, bendix, ruben];

/** A row: what is typed, and whom it means. */
const table: [text: string, filter: object][] = [
  ["ben", { userId: [ben.id, bendix.id, ruben.id] }],
  [" BELL ", { userId: [ada.id] }],
  ["ben@x.org", { userId: [ben.id] }],
  [bendix.id, { userId: [bendix.id] }],
  ["Guest 3f2A", { guestIdStart: "guest-3f2a" }],
  [`guest-${"3f2a".repeat(8)}`, { guestIdStart: `guest-${"3f2a".repeat(8)}` }],
  ["Guest of honour", { userId: "Guest of honour" }],
  ["42", { userId: "42" }],
];

describe("the person filter of the activity log", () => {
  for (const [text, filter] of table) {
    it(`resolves ${JSON.stringify(text)}`, () => {
      assert.deepEqual(matchPeople(text, accounts).filter, filter);
    });
  }

  it("is null when more than 500 accounts match", () => {
    const many = Array.from({ length: 501 }, () => ben);
    assert.equal(matchPeople("ben", many).filter, null);
  });
});
