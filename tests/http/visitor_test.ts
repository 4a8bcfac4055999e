import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { guestCookie, newGuest } from "@/server/accounts/guest.ts";
import { resolveVisitor } from "@/http/visitor.ts";
import type { State } from "@/http/state.ts";

const appSecret = "a secret of the app";
const guest = newGuest();

/** Who sends a request with a guest's cookie, of an installation with these properties. */
function resolve(
  { admitGuests = true, isBlocked = false, user = null as { id: string; role: string } | null },
) {
  const config = { admitGuests, appUrl: new URL("http://localhost/") };
  const row = isBlocked ? { guestId: guest.id } : undefined;
  const query = { select: () => query, where: () => query, executeTakeFirst: () => row };
  // It has what finding the visitor uses of a state, and nothing else.
  const state = {
    appSecret,
    config,
    accounts: { session: () => Promise.resolve(user && { id: "session", user }) },
    database: { queries: { selectFrom: () => query } },
  } as unknown as State;
  return resolveVisitor(
    state,
    new Headers({ cookie: `rollcall_guest=${guestCookie(appSecret, guest)}` }),
  );
}

describe("the visitor of a request", () => {
  it("is the guest of its cookie where guests are admitted", async () => {
    const { visitor } = await resolve({});
    assert.deepEqual(visitor, { id: guest.id, kind: "guest", isAdmin: false });
  });

  it("is absent once guests are no longer admitted, with or without an old cookie", async () => {
    assert.deepEqual(await resolve({ admitGuests: false }), {
      session: null,
      visitor: null,
      isBlocked: false,
    });
  });

  it("is absent while the guest is blocked", async () => {
    const { visitor, isBlocked } = await resolve({ isBlocked: true });
    assert.deepEqual([visitor, isBlocked], [null, true]);
  });

  it("is the signed-in user, also with the cookie of a blocked guest", async () => {
    for (const role of ["admin", "user"]) {
      const { visitor, isBlocked } = await resolve({ user: { id: "ada", role }, isBlocked: true });
      assert.deepEqual(visitor, { id: "ada", kind: "user", isAdmin: role === "admin" });
      assert.equal(isBlocked, false);
    }
  });
});
