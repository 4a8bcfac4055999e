import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { handler } from "../../routes/broadcasting/auth.ts";

/** What is signed for an admin who joins a channel. */
async function signedFor(channel: string, isObserver: boolean) {
  const visitor = { id: "ada", kind: "user", isAdmin: true };
  const user = { id: "ada", role: "admin" };
  const session = { id: "1", user };
  const state = {
    ...{ visitor, session, isObserver, isBlocked: false },
    config: { admitGuests: false },
    accounts: { session: () => Promise.resolve(session) },
    pusherApp: { key: "key", secret: "secret" },
    input: { socket_id: "1.2", channel_name: channel },
    ownApp: { claimSocket: () => true },
  };
  const req = new Request("http://localhost/broadcasting/auth", { method: "POST" });
  const response = await handler.POST!({ state, req } as never) as Response;
  assert.equal(response.status, 200);
  const { channel_data: data } = await response.json();
  return data === undefined ? undefined : JSON.parse(data);
}

describe("signing a presence channel", () => {
  it("signs an admin who is not counted as an observer", async () => {
    const member = { user_id: "ada", user_info: { id: "ada" } };
    assert.deepEqual(await signedFor("presence-chart", false), member);
    assert.deepEqual(await signedFor("presence-chart", true), {
      ...member,
      rollcall: { observe: true },
    });
    assert.equal(await signedFor("private-rollcall.online", true), undefined);
  });
});
