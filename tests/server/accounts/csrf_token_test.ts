import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { csrfToken, isCsrfSeed, isCsrfToken, newCsrfSeed } from "@/server/accounts/csrf_token.ts";

const secret = "a secret of the app";

describe("the CSRF token", () => {
  it("is accepted from the browser and the session that it was made for", () => {
    const seed = newCsrfSeed();
    for (const session of [null, "session1"]) {
      assert(isCsrfToken(secret, csrfToken(secret, seed, session), seed, session));
    }
  });

  it("is another for every page, and any page's is valid, so that several tabs work", () => {
    const seed = newCsrfSeed();
    const tokens = Array.from({ length: 50 }, () => csrfToken(secret, seed, "session1"));
    assert.equal(new Set(tokens).size, 50);
    for (const token of tokens) assert(isCsrfToken(secret, token, seed, "session1"));
  });

  it("shares no part with another, so that the size of a compressed page does not show it", () => {
    const seed = newCsrfSeed();
    const [one, other] = [1, 2].map(() => csrfToken(secret, seed, "session1"));
    for (let at = 0; at + 8 <= one.length; at++) {
      assert(!other.includes(one.slice(at, at + 8)), `${one} and ${other}`);
    }
  });

  it("is refused from another browser, session or installation", () => {
    const seed = newCsrfSeed();
    const token = csrfToken(secret, seed, "session1");
    assert(!isCsrfToken(secret, token, newCsrfSeed(), "session1"));
    assert(!isCsrfToken(secret, token, seed, "session2"));
    assert(!isCsrfToken(secret, token, seed, null));
    assert(!isCsrfToken("another secret", token, seed, "session1"));
    assert(!isCsrfToken(secret, csrfToken(secret, seed, null), seed, "session1"));
  });

  it("is refused when missing, changed or truncated, and without the cookie", () => {
    const seed = newCsrfSeed();
    const token = csrfToken(secret, seed, null);
    const changed = [0, 42, 43, 84, 85].map((at) =>
      token.slice(0, at) + (token[at] === "A" ? "B" : "A") + token.slice(at + 1)
    );
    for (const wrong of [null, undefined, "", token.slice(0, -1), ...changed]) {
      assert(!isCsrfToken(secret, wrong, seed, null));
    }
    for (const more of ["A", "=", " ", "AAAA", "!"]) {
      assert(!isCsrfToken(secret, token + more, seed, null));
    }
    assert(!isCsrfToken(secret, token, undefined, null));
  });

  it("is refused with a cookie that has not the form of a seed", () => {
    assert(isCsrfSeed(newCsrfSeed()));
    for (const seed of [undefined, "", "x", `${newCsrfSeed()}x`, "<".repeat(32)]) {
      assert(!isCsrfSeed(seed));
      assert(!isCsrfToken(secret, csrfToken(secret, seed ?? "", null), seed, null));
    }
  });
});
