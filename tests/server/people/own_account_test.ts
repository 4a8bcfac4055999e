import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import type { Session } from "@/server/accounts/accounts.ts";
import {
  changeName,
  changePassword,
  endOtherSessions,
  endSession,
} from "@/server/people/manage_user.ts";
import { AdminActions } from "./admin_state.ts";

const { state: { session } } = new AdminActions();
const own = session as Session;
const change = { current: "present", password: "a new password", endsOthers: true };

describe("what users do to their own account", () => {
  it("closes the connections of the sessions that a new password ends, with code 4200", async () => {
    const actions = new AdminActions();
    assert.ok((await changePassword(actions.state, own, change)).ok);
    assert.deepEqual(actions.done, [
      "recorded password_changed",
      "stored",
      "closed session one with 4200",
      "closed session two with 4200",
    ]);
  });

  it("closes the connections of one session that is ended, if it was open", async () => {
    const actions = new AdminActions();
    assert.equal(await endSession(actions.state, own, "one"), true);
    assert.deepEqual(actions.done, ["ended one of ada", "closed session one with 4200"]);
    assert.equal(await endSession(actions.state, own, "of another"), false);
    assert.deepEqual(actions.done.slice(2), []);
  });

  it("closes the connections of all other sessions", async () => {
    const actions = new AdminActions();
    await endOtherSessions(actions.state, own);
    const closed = ["closed session one with 4200", "closed session two with 4200"];
    assert.deepEqual(actions.done, ["ended all of ada but session", ...closed]);
  });

  it("records a new name, and has admins' pages show it", async () => {
    const actions = new AdminActions();
    assert.ok((await changeName(actions.state, own, " Ada Lovelace ")).ok);
    assert.deepEqual(actions.done, ["recorded name_changed", "stored", "told ada"]);
    const [{ actor, details }] = actions.entries;
    assert.deepEqual([actor.name, details], ["Ada", { newName: "Ada Lovelace" }]);
  });
});
