import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "@std/testing/bdd";
import { csrfToken } from "@/server/accounts/csrf_token.ts";
import { guestCookie, newGuest, readGuestCookie } from "@/server/accounts/guest.ts";

const secret = "a secret of the app";

describe("a guest's cookie", () => {
  it("identifies the guest that it was made for", () => {
    const guest = newGuest();
    assert.match(guest.id, /^guest-[0-9a-f]{32}$/);
    assert.deepEqual(readGuestCookie(secret, guestCookie(secret, guest)), guest);
  });

  it("has another id for each new guest", () => {
    assert.notEqual(newGuest().id, newGuest().id);
  });

  it("is refused under another secret, and with a signature for another purpose", () => {
    const guest = newGuest();
    assert.equal(readGuestCookie("another secret", guestCookie(secret, guest)), null);
    const borrowed = `${guest.id}.${csrfToken(secret, guest.id, null)}`;
    assert.equal(readGuestCookie(secret, borrowed), null);
  });

  it("is refused when missing, truncated, or with another guest's signature", () => {
    const [one, another] = [newGuest(), newGuest()];
    const [, signature] = guestCookie(secret, another).split(".");
    for (const wrong of [undefined, "", one.id, `${one.id}.`, `${one.id}.${signature}`]) {
      assert.equal(readGuestCookie(secret, wrong), null);
    }
  });

  it("is refused for an id that no guest has, with a valid signature too", () => {
    for (const id of ["", "admin", "a".repeat(32), `guest-${"A".repeat(32)}`, "guest-1"]) {
      assert.equal(readGuestCookie(secret, guestCookie(secret, { id })), null);
    }
  });

  it("is refused when any of its characters is changed", () => {
    const cookie = guestCookie(secret, newGuest());
    fc.assert(fc.property(
      fc.nat(cookie.length - 1),
      fc.string({ minLength: 1, maxLength: 1 }),
      (index, character) => {
        const changed = cookie.slice(0, index) + character + cookie.slice(index + 1);
        fc.pre(changed !== cookie);
        assert.equal(readGuestCookie(secret, changed), null);
      },
    ));
  });
});
