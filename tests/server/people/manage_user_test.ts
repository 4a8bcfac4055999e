import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import type { User } from "@/server/accounts/accounts.ts";
import { changeRole, disableUser, enableUser, resetPassword } from "@/server/people/manage_user.ts";
import { AdminActions } from "./admin_state.ts";

const ben: User = {
  id: "ben",
  name: "Ben",
  email: "ben@example.org",
  role: "admin",
  disabled: false,
  createdAt: new Date(0),
};

describe("what an admin does to a user", () => {
  it("closes the user's connections right after a password reset", async () => {
    const actions = new AdminActions();
    assert.ok((await resetPassword(actions.state, "ben", "a new password")).ok);
    assert.deepEqual(actions.done, ["recorded password_reset", "stored", "closed ben with 4200"]);
  });

  it("closes the connections of who is no longer an admin, has a new one's signed again, and tells pages of the role", async () => {
    const actions = new AdminActions();
    await changeRole(actions.state, ben, "user");
    assert.deepEqual(actions.done.slice(2), ["closed ben with 4200", "told ben"]);
    assert.deepEqual(actions.entries[0].details, { before: "admin", after: "user" });
    const promotion = new AdminActions();
    await changeRole(promotion.state, { ...ben, role: "user" }, "admin");
    assert.deepEqual(promotion.done.slice(2), ["reconnected ben", "told ben"]);
  });

  it("refuses a role that does not exist, and changes nothing", async () => {
    const actions = new AdminActions();
    assert.equal((await changeRole(actions.state, ben, "owner")).ok, false);
    assert.deepEqual(actions.done, []);
  });

  it("closes the connections of a disabled user for good", async () => {
    const actions = new AdminActions();
    assert.ok((await disableUser(actions.state, "ben", { openPages: 2 })).ok);
    assert.deepEqual(actions.done, ["recorded user_disabled", "stored", "closed ben"]);
    assert.deepEqual(actions.entries[0].details, { openPages: 2 });
  });

  it("cannot disable the admin's own account", async () => {
    const actions = new AdminActions();
    const result = await disableUser(actions.state, "ada");
    assert.equal(result.ok ? "" : result.reason, "yourself");
    assert.deepEqual(actions.done, []);
  });

  it("lets a user sign in again", async () => {
    const actions = new AdminActions();
    assert.ok((await enableUser(actions.state, "ben")).ok);
    assert.deepEqual(actions.done, ["recorded user_enabled", "stored"]);
  });
});
