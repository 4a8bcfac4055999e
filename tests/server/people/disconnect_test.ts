import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import type { KnownPerson } from "@/server/people/known_person.ts";
import { block, disconnect, disconnectOptions } from "@/server/people/disconnect.ts";
import { AdminActions } from "./admin_state.ts";

const guestId = `guest-${"3f2a".repeat(8)}`;

function person(id: string, kind: KnownPerson["kind"], isOnline = true): KnownPerson {
  const presence = { userId: id, since: 0, connections: 3, lastSeenAt: 0 };
  return {
    id,
    kind,
    name: id,
    role: null,
    account: null,
    lastSeenAt: null,
    isBlocked: false,
    activity: [],
    channels: [],
    presence: isOnline ? presence : null,
  };
}

describe("disconnecting and blocking", () => {
  it("is recorded before connections are closed", async () => {
    const actions = new AdminActions();
    assert.equal(await disconnect(actions.state, person("ben", "user")), null);
    assert.deepEqual(actions.done, ["recorded member_removed", "closed ben"]);
    assert.deepEqual(actions.entries[0].details, { openPages: 3 });
  });

  it("closes a guest's connections once the guest is blocked, who else would come back", async () => {
    const actions = new AdminActions();
    const { promise, resolve } = Promise.withResolvers<void>();
    actions.stored = promise;
    const blocked = block(actions.state, person(guestId, "guest"));
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    assert.deepEqual(actions.done, ["recorded guest_blocked"]);
    resolve();
    assert.equal(await blocked, null);
    assert.deepEqual(actions.done.slice(1), ["blocked", `closed ${guestId}`]);
  });

  it("disables a user who is blocked", async () => {
    const actions = new AdminActions();
    assert.equal(await block(actions.state, person("ben", "user")), null);
    assert.deepEqual(actions.done, ["recorded user_disabled", "stored", "closed ben"]);
  });

  it("is refused for oneself, and for people who are not online or of another application", async () => {
    const { state, done } = new AdminActions();
    const self = person("ada", "user");
    assert.deepEqual(disconnectOptions(state, self), { disconnect: "yourself", block: "yourself" });
    assert.equal(await disconnect(state, self), "yourself");
    assert.equal(await block(state, self), "yourself");
    assert.equal(await disconnect(state, person("ben", "user", false)), "not_online");
    assert.equal(await block(state, person("42", "foreign")), "not_blockable");
    assert.deepEqual(done, []);
  });
});
