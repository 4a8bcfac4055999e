import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { csrfToken, isCsrfSeed, isCsrfToken, newCsrfSeed } from "../../accounts/csrf.ts";

const secret = "a secret of the app";

describe("the anti-forgery token", () => {
  it("is accepted from the browser and the session that it was made for", () => {
    const seed = newCsrfSeed();
    for (const session of [null, "session1"]) {
      assert(isCsrfToken(secret, csrfToken(secret, seed, session), seed, session));
    }
  });

  it("is the same for every page of a session, so that tabs do not invalidate each other", () => {
    const seed = newCsrfSeed();
    assert.equal(csrfToken(secret, seed, "session1"), csrfToken(secret, seed, "session1"));
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
    const last = token.at(-1) === "A" ? "B" : "A";
    for (const wrong of [null, undefined, "", token.slice(0, -1), token.slice(0, -1) + last]) {
      assert(!isCsrfToken(secret, wrong, seed, null));
    }
    assert(!isCsrfToken(secret, `${token}A`, seed, null));
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
