import { strict as assert } from "node:assert";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { admit, type Visitor } from "@/server/presence/channels.ts";

const user: Visitor = { id: "a1", kind: "user", isAdmin: false };
const admin: Visitor = { ...user, isAdmin: true };
const guest: Visitor = { id: "guest-1", kind: "guest", isAdmin: false };

const admissions: [Visitor, string, ReturnType<typeof admit>][] = [
  [user, "presence-chart", { id: "a1" }],
  [guest, "presence-chart", { id: "guest-1" }],
  [user, "private-rollcall.users.a1", true],
  [user, "private-rollcall.users.a2", false],
  [guest, "private-rollcall.users.guest-1", true],
  [guest, "private-rollcall.users.a1", false],
  [user, "private-rollcall.online", false],
  [admin, "private-rollcall.online", true],
  [guest, "private-rollcall.online", false],
  [user, "private-rollcall.inspector.0", false],
  [admin, "private-rollcall.inspector.0", true],
  [guest, "private-rollcall.inspector.0", false],
  [user, "private-rollcall.users.a1.x", false],
  [user, "private-usersXa1", false],
  [user, "presence-chart2", false],
  [user, "private-encrypted-users.a1", false],
];

describe("the rules of the channels", () => {
  for (const [visitor, channel, admission] of admissions) {
    const answer = admission === false ? "refuse" : "admit";
    it(`${answer} the ${visitor.isAdmin ? "admin" : visitor.kind} ${visitor.id} to ${channel}`, () => {
      assert.deepEqual(admit(visitor, channel), admission);
    });
  }

  it("refuse a user to a channel of any other name", () => {
    fc.assert(
      fc.property(fc.string(), (name) => {
        fc.pre(name !== "presence-chart" && name !== "private-rollcall.users.a1");
        assert.equal(admit(user, name), false);
      }),
    );
  });
});
