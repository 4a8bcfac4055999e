import assert from "node:assert/strict";
import { it } from "@std/testing/bdd";
import { hasSignedSession } from "@/server/accounts/session_cookie.ts";
import { addUser, describeOnEachEngine, secret, signIn } from "./stores.ts";

const isSigned = (cookie: string, from = secret) =>
  hasSignedSession(from, "rollcall", new Headers({ cookie }));

describeOnEachEngine("the cookie of a session", (store) => {
  it("is known by its signature, without a look at the database", async () => {
    const accounts = await store.open();
    await addUser(accounts, "ada");
    const cookie = (await signIn(accounts, "ada")).get("cookie")!;
    assert.ok(isSigned(cookie));
    assert.ok(isSigned(`theme=dark; ${cookie}; other=%`));
  });

  it("is not known when it is altered, foreign or of another secret", async () => {
    const accounts = await store.open();
    await addUser(accounts, "ada");
    const cookie = (await signIn(accounts, "ada")).get("cookie")!;
    const [name, value] = cookie.split("=");
    const altered = value.replace(/^./, (first) => first === "a" ? "b" : "a");
    for (
      const other of [`${name}=${altered}`, `other=${value}`, `${name}=`, `${name}=%`, "", name]
    ) {
      assert.ok(!isSigned(other), other);
    }
    assert.ok(!isSigned(cookie, "another secret"));
  });
});
