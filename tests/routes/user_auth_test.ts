import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { handler } from "@/routes/broadcasting/user-auth.ts";

/** A request of a guest to be signed for as the user of a socket. */
async function ask({ socketId = "1.2", isOwn = true, hasVisitor = true } = {}) {
  const claims: unknown[] = [];
  const state = {
    visitor: hasVisitor ? { id: "guest-1", kind: "guest", isAdmin: false } : null,
    session: null,
    isBlocked: false,
    config: { admitGuests: false },
    accounts: { session: () => Promise.resolve(null) },
    pusherApp: { key: "key", secret: "secret" },
    input: { socket_id: socketId },
    allServers: {
      claimSocket: (id: string, owner: unknown) => {
        claims.push([id, owner]);
        return Promise.resolve(isOwn ? "claimed" : "foreign");
      },
    },
  };
  const req = new Request("http://localhost/broadcasting/user-auth", { method: "POST" });
  // The context has what the route uses, and nothing else.
  const response = await handler.POST!({ state, req } as never) as Response;
  return { claims, status: response.status, answer: await response.json() };
}

describe("signing for the user of a socket", () => {
  it("claims the socket for the visitor, so that it is closed with the visitor's others", async () => {
    const { claims, status, answer } = await ask();
    assert.equal(status, 200);
    assert.deepEqual(claims, [["1.2", { userId: "guest-1", sessionId: undefined }]]);
    const user = { id: "guest-1", user_info: { id: "guest-1" } };
    assert.deepEqual(JSON.parse(answer.user_data), user);
    assert.match(answer.auth, /^key:[0-9a-f]{64}$/);
  });

  it("is refused for a socket of another visitor", async () => {
    const { status, answer } = await ask({ isOwn: false });
    assert.deepEqual([status, answer.reason], [403, "socket_of_another_visitor"]);
    assert.equal(answer.auth, undefined);
  });

  it("is refused without a visitor, and for a malformed id of a socket", async () => {
    const refused = await ask({ hasVisitor: false });
    assert.deepEqual([refused.status, refused.claims], [403, []]);
    const malformed = await ask({ socketId: "one.two" });
    assert.deepEqual([malformed.status, malformed.claims], [422, []]);
  });
});
