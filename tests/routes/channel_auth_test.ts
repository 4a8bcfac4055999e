import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import type { Recovery } from "../../shared/recovery.ts";
import { handler } from "../../routes/broadcasting/auth.ts";

/** The answer to an admin who joins a channel. */
async function answerFor(
  channel: string,
  isObserver = false,
  recovery: Recovery | null = null,
  quietChannels: string[] = [],
) {
  const visitor = { id: "ada", kind: "user", isAdmin: true };
  const user = { id: "ada", role: "admin" };
  const session = { id: "1", user };
  // It has what the route uses of a state, and nothing else.
  const state = {
    ...{ visitor, session, isObserver, isBlocked: false },
    config: { admitGuests: false },
    accounts: { session: () => Promise.resolve(session) },
    pusherApp: { key: "key", secret: "secret", quietChannels },
    input: { socket_id: "1.2", channel_name: channel },
    ownApp: { claimSocket: () => true },
    counted: [{ recovery: { shown: recovery } }],
  };
  const req = new Request("http://localhost/broadcasting/auth", { method: "POST" });
  const response = await handler.POST!({ state, req } as never) as Response;
  assert.equal(response.status, 200);
  return await response.json();
}

/** What is signed for the admin. */
async function signedFor(channel: string, isObserver: boolean) {
  const { channel_data: data } = await answerFor(channel, isObserver);
  return data === undefined ? undefined : JSON.parse(data);
}

describe("signing a presence channel", () => {
  it("answers whether the number of users online recovers, in its channel only", async () => {
    const recovery = { expected: 56, startedAt: -5_000, most: 11, grewAt: -1_000 };
    const answered = async (channel: string, known: Recovery | null) =>
      (await answerFor(channel, false, known)).recovery;
    assert.deepEqual(await answered("presence-chart", recovery), recovery);
    assert.equal(await answered("presence-chart", null), undefined);
    assert.equal(await answered("private-rollcall.online", recovery), undefined);
  });

  it("signs an admin who is not counted as an observer", async () => {
    const member = { user_id: "ada", user_info: { id: "ada" } };
    assert.deepEqual(await signedFor("presence-chart", false), member);
    assert.deepEqual(await signedFor("presence-chart", true), {
      ...member,
      rollcall: { observe: true },
    });
    assert.equal(await signedFor("private-rollcall.online", true), undefined);
  });

  it("signs a visitor as not quiet where a rule of the app makes members quiet", async () => {
    const { channel_data: data } = await answerFor("presence-chart", false, null, ["presence-*"]);
    assert.deepEqual(JSON.parse(data).rollcall, { quiet: false });
  });
});
