import assert from "node:assert/strict";
import { createHash, scryptSync } from "node:crypto";
import { it } from "@std/testing/bdd";
import {
  addUser,
  describeOnEachEngine,
  password,
  quickHashing,
  reasonOf,
  requestWith,
  signIn,
} from "./stores.ts";

const peer = "192.0.2.1";

describeOnEachEngine("signing in", (store) => {
  it("opens a session of the user", async () => {
    const accounts = await store.open();
    const ada = await addUser(accounts, "ada");
    const session = await accounts.session(await signIn(accounts, "ada"));
    assert.deepEqual(session?.user, ada);
    assert.match(session.id, /^\w{16,}$/);
  });

  it("ignores case of the email address and spaces around it", async () => {
    const accounts = await store.open();
    await addUser(accounts, "ada");
    const result = await accounts.signIn({ email: " ADA@Example.ORG ", password }, peer);
    assert(result.ok);
  });

  it("gives the same refusal for an unknown email address and a wrong password", async () => {
    const accounts = await store.open();
    await addUser(accounts, "ada");
    const wrong = { ok: false, reason: "wrong_credentials" };
    for (const [email, from] of [["ada", "192.0.2.1"], ["unknown", "192.0.2.2"]]) {
      const input = { email: `${email}@example.org`, password: "wrong password" };
      assert.deepEqual(await accounts.signIn(input, from), { ...wrong, attemptsLeft: 9 });
      const short = await accounts.signIn({ ...input, password: "short" }, from);
      assert.deepEqual(short, { ...wrong, attemptsLeft: 8 });
    }
  });

  it("hashes as much for an unknown email address as for a wrong password, to take as long", async () => {
    let hashed = 0;
    const count = <Result>(result: Result) => (hashed++, result);
    const { hash, verify } = quickHashing;
    const accounts = await store.open({
      passwordHashing: {
        hash: (password) => count(hash(password)),
        verify: (entered) => count(verify(entered)),
      },
    });
    await addUser(accounts, "ada");
    for (const email of ["ada@example.org", "unknown@example.org"]) {
      hashed = 0;
      await accounts.signIn({ email, password: "wrong password" }, peer);
      assert.equal(hashed, 1, email);
    }
  });

  it("refuses a malformed or overlong email address or password as invalid", async () => {
    const accounts = await store.open();
    for (
      const input of [
        { email: "ada", password },
        { email: "", password },
        { email: `${"a".repeat(250)}@example.org`, password },
        { email: "ada@example.org", password: "" },
        { email: "ada@example.org", password: "x".repeat(257) },
      ]
    ) assert.deepEqual(await accounts.signIn(input, peer), { ok: false, reason: "invalid" });
  });

  it("says that an account is disabled only after its right password", async () => {
    const accounts = await store.open();
    await addUser(accounts, "ada");
    const bob = await addUser(accounts, "bob", "user");
    assert((await accounts.setDisabled(bob.id, true)).ok);
    const email = bob.email;
    assert.equal(reasonOf(await accounts.signIn({ email, password }, peer)), "disabled");
    const wrong = await accounts.signIn({ email, password: "wrong password" }, peer);
    assert.equal(reasonOf(wrong), "wrong_credentials");
    assert((await accounts.setDisabled(bob.id, false)).ok);
    assert((await accounts.signIn({ email, password }, peer)).ok);
  });

  it("sets an HttpOnly, SameSite cookie for seven days", async () => {
    const accounts = await store.open();
    await addUser(accounts, "ada");
    const result = await accounts.signIn({ email: "ada@example.org", password }, peer);
    assert(result.ok);
    assert.equal(result.cookies.length, 1);
    const [value, ...attributes] = result.cookies[0].split("; ");
    assert.match(value, /^rollcall\.session_token=/);
    assert.deepEqual(attributes.sort(), ["HttpOnly", "Max-Age=604800", "Path=/", "SameSite=Lax"]);
  });

  it("sets a Secure cookie under https, with the path of the app, which works there", async () => {
    const accounts = await store.open({
      appUrl: new URL("https://rollcall.example:8443/sub/"),
      secureCookies: true,
    });
    await addUser(accounts, "ada");
    const result = await accounts.signIn({ email: "ada@example.org", password }, peer);
    assert(result.ok);
    assert.match(
      result.cookies[0],
      /^__Secure-rollcall\.sub\.session_token=.*; Path=\/sub;.*; Secure/,
    );
    assert.equal((await accounts.session(requestWith(result.cookies)))?.user.name, "ada");
  });

  it("sets a cookie under https at the root that no neighbouring domain can set", async () => {
    const appUrl = new URL("https://rollcall.example");
    const accounts = await store.open({ appUrl, secureCookies: true });
    await addUser(accounts, "ada");
    const result = await accounts.signIn({ email: "ada@example.org", password }, peer);
    assert(result.ok);
    assert.match(result.cookies[0], /^__Host-rollcall\.session_token=/);
    const attributes = result.cookies[0].split("; ").slice(1).sort();
    assert.deepEqual(attributes, [
      "HttpOnly",
      "Max-Age=604800",
      "Path=/",
      "SameSite=Lax",
      "Secure",
    ]);
    const session = requestWith(result.cookies);
    assert.equal((await accounts.session(session))?.user.name, "ada");
    const planted = session.get("cookie")!.replace("__Host-", "__Secure-");
    assert.equal(await accounts.session(new Headers({ cookie: planted })), null);
    const [cleared] = await accounts.signOut(session);
    assert.match(cleared, /^__Host-rollcall\.session_token=; Max-Age=0;.*Secure/);
  });

  it("stores neither passwords nor session tokens in plain text", async () => {
    const accounts = await store.open();
    await addUser(accounts, "ada");
    const cookie = (await signIn(accounts, "ada")).get("cookie")!;
    const token = decodeURIComponent(cookie.split("=")[1]).split(".")[0];
    const [session] = await store.query(`select token from "session"`);
    assert.equal(session.token, createHash("sha256").update(token).digest("base64url"));
    const everything = JSON.stringify([
      await store.query(`select * from "user"`),
      await store.query(`select * from "account"`),
      await store.query(`select * from "session"`),
    ]);
    assert(!everything.includes(token));
    assert(!everything.includes(password));
  });

  it("stores a salted scrypt hash of the password, of which each check takes 32 MB", async () => {
    const accounts = await store.open({ passwordHashing: undefined });
    await addUser(accounts, "ada");
    const [account] = await store.query(`select password from "account"`);
    const [salt, hash] = String(account.password).split(":");
    assert.match(salt, /^[0-9a-f]{32}$/);
    const cost = { N: 16_384, r: 16, p: 1, maxmem: 64 << 20 };
    assert.equal(scryptSync(password, salt, 64, cost).toString("hex"), hash);
    await signIn(accounts, "ada");
  });
});

describeOnEachEngine("a session", (store) => {
  it("survives a restart", async () => {
    const before = await store.open();
    await addUser(before, "ada");
    const request = await signIn(before, "ada");
    const session = await before.session(request);
    const after = await store.open();
    assert.deepEqual(await after.session(request), session);
  });

  it("ends at sign-out in that browser, and not in another", async () => {
    const accounts = await store.open();
    await addUser(accounts, "ada");
    const here = await signIn(accounts, "ada");
    const there = await signIn(accounts, "ada");
    const ids = await Promise.all([here, there].map(async (each) => {
      return (await accounts.session(each))!.id;
    }));
    assert.deepEqual(await accounts.endedSessions([...ids, "never"]), ["never"]);
    const cookies = await accounts.signOut(here);
    assert.deepEqual(await accounts.endedSessions(ids), [ids[0]]);
    assert(cookies.some((cookie) => /^rollcall\.session_token=; Max-Age=0;/.test(cookie)));
    assert.equal(await accounts.session(here), null);
    assert.equal((await accounts.session(there))?.user.name, "ada");
  });

  it("has an id of its own at each sign-in", async () => {
    const accounts = await store.open();
    await addUser(accounts, "ada");
    const first = await accounts.session(await signIn(accounts, "ada"));
    const second = await accounts.session(await signIn(accounts, "ada"));
    assert.notEqual(first?.id, second?.id);
  });

  it("ends when it expires, and is deleted at the next sign-in, used again or not", async () => {
    const accounts = await store.open();
    await addUser(accounts, "ada");
    const request = await signIn(accounts, "ada");
    await signIn(accounts, "ada");
    const { id } = (await accounts.session(request))!;
    assert.deepEqual(await accounts.endedSessions([id]), []);
    await store.query(`update "session" set "expiresAt" = '2020-01-01T00:00:00.000Z'`);
    assert.equal(await accounts.session(request), null);
    assert.deepEqual(await accounts.endedSessions([id]), [id]);
    await signIn(accounts, "ada");
    assert.equal((await store.query(`select id from "session"`)).length, 1);
  });

  it("ends seven days after the sign-in, also when it is used", async () => {
    const accounts = await store.open();
    await addUser(accounts, "ada");
    const request = await signIn(accounts, "ada");
    const end = new Date(Date.now() + 60_000).toISOString();
    await store.query(`update "session" set "expiresAt" = '${end}'`);
    assert.ok(await accounts.session(request));
    const [{ expiresAt }] = await store.query(`select "expiresAt" from "session"`);
    assert.equal(new Date(String(expiresAt)).toISOString().slice(0, 19), end.slice(0, 19));
  });

  it("is refused without a cookie, with a forged one, and under another secret", async () => {
    const accounts = await store.open();
    await addUser(accounts, "ada");
    const request = await signIn(accounts, "ada");
    const cookie = request.get("cookie")!;
    for (
      const forged of [
        "",
        "rollcall.session_token=",
        "rollcall.session_token=x.y",
        "rollcall.session_token=%",
        cookie.split(".").slice(0, 2).join("."),
        cookie.replace("=", "=x"),
        cookie.slice(0, -12) + "AAAAAAAAA%3D",
      ]
    ) assert.equal(await accounts.session(new Headers({ cookie: forged })), null, forged);
    assert.equal(await accounts.session(new Headers()), null);
    const other = await store.open({ secret: "Q1w2E3r4T5y6U7i8O9p0A1s2D3f4G5h6" });
    assert.equal(await other.session(request), null);
  });

  it("has a changed role at the next request", async () => {
    const accounts = await store.open();
    await addUser(accounts, "ada");
    const bob = await addUser(accounts, "bob", "user");
    const request = await signIn(accounts, "bob");
    assert((await accounts.setRole(bob.id, "admin")).ok);
    assert.equal((await accounts.session(request))?.user.role, "admin");
  });
});
