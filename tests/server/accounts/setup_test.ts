import assert from "node:assert/strict";
import { it } from "@std/testing/bdd";
import { addUser, describeOnEachEngine, password, reasonOf, signIn } from "./stores.ts";

const ada = { name: "ada", email: "ada@example.org", password };
const eve = { name: "eve", email: "eve@example.org", password };

describeOnEachEngine("the first admin", (store) => {
  it("is created with the setup token, and can sign in", async () => {
    const accounts = await store.open();
    assert.equal(await accounts.needsSetup(), true);
    const token = await accounts.setupToken();
    assert.match(token, /^[\w-]{43}$/);
    assert.equal(await accounts.checkSetupToken(token), true);
    const result = await accounts.createFirstAdmin(token, ada);
    assert(result.ok);
    assert.equal(result.value.role, "admin");
    assert.equal(await accounts.needsSetup(), false);
    assert.equal((await accounts.session(await signIn(accounts, "ada")))?.user.role, "admin");
  });

  it("is the only account that the setup token creates", async () => {
    const accounts = await store.open();
    const token = await accounts.setupToken();
    assert((await accounts.createFirstAdmin(token, ada)).ok);
    assert.equal(await accounts.checkSetupToken(token), false);
    assert.equal(reasonOf(await accounts.createFirstAdmin(token, eve)), "setup_done");
    assert.equal((await accounts.list()).length, 1);
  });

  it("is created once when two people use the setup link at the same time", async () => {
    const [here, there] = [await store.open(), await store.open()];
    for (let run = 0; run < 20; run++) {
      const token = await here.setupToken();
      const results = await Promise.all([
        here.createFirstAdmin(token, ada),
        there.createFirstAdmin(token, eve),
      ]);
      const reasons = results.map((result) => result.ok ? "done" : result.reason);
      assert.deepEqual(reasons.sort(), ["done", "setup_done"]);
      assert.equal((await here.list()).length, 1);
      await store.query(`delete from "user"`);
    }
  });

  it("is not created with a wrong token, without one, or with invalid input", async () => {
    const accounts = await store.open();
    assert.equal(reasonOf(await accounts.createFirstAdmin("", ada)), "wrong_token");
    const token = await accounts.setupToken();
    for (const wrong of ["", "x", token.slice(1), `${token}x`, "ü".repeat(43)]) {
      assert.equal(await accounts.checkSetupToken(wrong), false);
      assert.equal(reasonOf(await accounts.createFirstAdmin(wrong, ada)), "wrong_token");
    }
    const short = await accounts.createFirstAdmin(token, { ...ada, password: "short" });
    assert(!short.ok && short.reason === "invalid" && short.field === "password");
    assert.equal(await accounts.needsSetup(), true);
    assert((await accounts.createFirstAdmin(token, ada)).ok);
  });

  it("can be created with the token of before a restart, until a newer token is made", async () => {
    const old = await (await store.open()).setupToken();
    const accounts = await store.open();
    assert.equal(await accounts.checkSetupToken(old), true);
    const token = await accounts.setupToken();
    assert.equal(await accounts.checkSetupToken(old), false);
    assert.equal(await accounts.checkSetupToken(token), true);
  });

  it("cannot be created with a setup token when there is an admin", async () => {
    const accounts = await store.open();
    await addUser(accounts, "eve");
    const token = await accounts.setupToken();
    assert.equal(await accounts.checkSetupToken(token), false);
    assert.equal(reasonOf(await accounts.createFirstAdmin(token, ada)), "setup_done");
  });

  it("has a setup token of which the database holds only the hash", async () => {
    const token = await (await store.open()).setupToken();
    const rows = await store.query(`select * from "setting"`);
    assert.equal(rows.length, 1);
    assert(!JSON.stringify(rows).includes(token));
  });

  it("is created with a token that all servers share, in whatever order they start", async () => {
    const isShared = true;
    const single = await (await store.open()).setupToken();
    const [here, there] = [await store.open(), await store.open()];
    for (let run = 0; run < 20; run++) {
      const tokens = await Promise.all([here, there].map((each) => each.setupToken({ isShared })));
      assert.match(tokens[0], /^[\w-]{43}$/);
      assert.equal(tokens[1], tokens[0]);
      assert.equal(await (await store.open()).setupToken({ isShared }), tokens[0]);
      assert.equal(await here.checkSetupToken(single), false);
      assert.equal(await there.checkSetupToken(`${tokens[0]} x`), false);
      assert((await there.createFirstAdmin(tokens[0], ada)).ok);
      assert.equal(await here.checkSetupToken(tokens[0]), false);
      await store.query(`delete from "user"`);
      const next = await here.setupToken({ isShared });
      assert.notEqual(next, tokens[0]);
      assert.equal(await here.checkSetupToken(tokens[0]), false);
      await store.query(`delete from "setting"`);
    }
  });

  it("has a shared token that the database does not hold, and that changes with the secret", async () => {
    const token = await (await store.open()).setupToken({ isShared: true });
    assert(!JSON.stringify(await store.query(`select * from "setting"`)).includes(token));
    const secret = "another-secret-of-32-characters-and-more";
    const other = await store.open({ secret });
    assert.notEqual(await other.setupToken({ isShared: true }), token);
    assert.equal(await other.checkSetupToken(token), false);
  });
});
