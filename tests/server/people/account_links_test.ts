import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { followResetLink } from "@/server/people/manage_user.ts";
import { AdminActions } from "./admin_state.ts";

describe("a link that resets a password", () => {
  it("closes the connections of its user, and is recorded as their own action", async () => {
    const actions = new AdminActions();
    const input = { token: "x", password: "a new password" };
    assert.ok((await followResetLink(actions.state, input)).ok);
    assert.deepEqual(actions.done, ["recorded reset_link_used", "stored", "closed ben with 4200"]);
    assert.equal(actions.entries[0].actor.id, "ben");
  });
});
