import assert from "node:assert/strict";
import { it } from "@std/testing/bdd";
import type { Role } from "@/server/accounts/accounts.ts";
import type { Limits } from "@/shared/permissions.ts";
import { addUser, describeOnEachEngine, password, reasonOf, signIn } from "./stores.ts";

const peer = "192.0.2.1";

describeOnEachEngine("users", (store) => {
  it("are listed by name and found by id, with all their fields", async () => {
    const accounts = await store.open();
    const start = Date.now();
    const bob = await addUser(accounts, "bob", "user");
    const ada = await addUser(accounts, "ada");
    assert.deepEqual(await accounts.list(), [ada, bob]);
    assert.deepEqual(await accounts.find(bob.id), bob);
    const { id, createdAt, ...known } = bob;
    assert.match(id, /^[0-9a-f]{32}$/);
    assert(createdAt.getTime() >= start && createdAt.getTime() <= Date.now());
    const expected = {
      name: "bob",
      email: "bob@example.org",
      role: "user",
      disabled: false,
      language: null,
      limits: null,
    };
    assert.deepEqual(known, expected);
    assert.equal(await accounts.find("unknown"), null);
  });

  it("are not found by a string that is no id", async () => {
    const accounts = await store.open();
    for (const id of ["", "\0", "A".repeat(32), "a".repeat(33), "a".repeat(32) + "\n"]) {
      assert.equal(await accounts.find(id), null);
      assert.equal(reasonOf(await accounts.setRole(id, "user")), "not_found");
      assert.equal(reasonOf(await accounts.setDisabled(id, true)), "not_found");
    }
    assert.equal(reasonOf(await accounts.resetPassword("\0", password)), "not_found");
  });

  it("are not changed when the write beside the change fails", async () => {
    const accounts = await store.open();
    const ada = await addUser(accounts, "ada");
    const bob = await addUser(accounts, "bob", "user");
    const fail = () => Promise.reject(new Error("not written"));
    const dora = { name: "Dora", email: "dora@example.org", password, role: "user" as Role };
    for (
      const change of [
        () => accounts.setRole(bob.id, "admin", fail),
        () => accounts.setLimits(bob.id, [{ app: "own", channel: null }], fail),
        () => accounts.setDisabled(bob.id, true, fail),
        () => accounts.resetPassword(bob.id, "another password", fail),
        () => accounts.add(dora, fail),
      ]
    ) await assert.rejects(change, /not written/);
    assert.deepEqual(await accounts.list(), [ada, bob]);
    await signIn(accounts, "bob");
    const seen: string[] = [];
    await accounts.setDisabled(bob.id, true, (_, user) => {
      seen.push(`${user.name} ${user.disabled}`);
      return Promise.resolve();
    });
    assert.equal(reasonOf(await accounts.setDisabled(ada.id, true, fail)), "last_admin");
    assert.deepEqual(seen, ["bob false"]);
  });

  it("cannot share an email address, in any case of its letters", async () => {
    const accounts = await store.open();
    await addUser(accounts, "ada");
    const again = { name: "Ada", email: "ADA@example.org", password, role: "user" as Role };
    const result = await accounts.add(again);
    assert.equal(reasonOf(result), "email_taken");
    assert(!result.ok && result.field === "email");
    assert.equal((await accounts.list()).length, 1);
  });

  it("are added with valid input only, and a refusal names the field", async () => {
    const accounts = await store.open();
    const valid = { name: "Ada", email: "ada@example.org", password, role: "user" as Role };
    for (
      const [field, value] of [
        ["name", " "],
        ["name", "x".repeat(101)],
        ["name", "A\0da"],
        ["name", "\u202e\u200b"],
        ["email", "ada"],
        ["email", `${"a".repeat(250)}@example.org`],
        ["password", "123456789"],
        ["password", "x".repeat(257)],
        ["role", "owner"],
      ]
    ) {
      const result = await accounts.add({ ...valid, [field]: value });
      assert(!result.ok && result.reason === "invalid" && result.field === field, field);
    }
    assert.deepEqual(await accounts.list(), []);
    for (const password of ["1234567890", "🔑".repeat(128), " spaces count "]) {
      const email = `${password.length}@example.org`;
      assert((await accounts.add({ ...valid, email, password })).ok);
      assert((await accounts.signIn({ email, password }, peer)).ok);
    }
  });

  it("lose their sessions when disabled, and others keep theirs", async () => {
    const accounts = await store.open();
    await addUser(accounts, "ada");
    const bob = await addUser(accounts, "bob", "user");
    const [adasRequest, bobsRequest] = [
      await signIn(accounts, "ada"),
      await signIn(accounts, "bob"),
    ];
    assert((await accounts.setDisabled(bob.id, true)).ok);
    assert.equal((await accounts.find(bob.id))?.disabled, true);
    assert.equal(await accounts.session(bobsRequest), null);
    assert((await accounts.setDisabled(bob.id, false)).ok);
    assert.equal(await accounts.session(bobsRequest), null);
    assert.equal((await accounts.session(adasRequest))?.user.name, "ada");
  });

  it("have no session while disabled, not even one opened at the same moment", async () => {
    const accounts = await store.open();
    const bob = await addUser(accounts, "bob", "user");
    const request = await signIn(accounts, "bob");
    await store.query(`update "user" set "banned" = '1' where "id" = '${bob.id}'`);
    assert.equal(await accounts.session(request), null);
  });

  it("need the new password after a reset, which ends their sessions", async () => {
    const accounts = await store.open();
    const bob = await addUser(accounts, "bob", "user");
    const request = await signIn(accounts, "bob");
    const short = await accounts.resetPassword(bob.id, "short");
    assert(!short.ok && short.reason === "invalid" && short.field === "password");
    assert.notEqual(await accounts.session(request), null);
    assert((await accounts.resetPassword(bob.id, "another password")).ok);
    assert.equal(await accounts.session(request), null);
    const { email } = bob;
    const old = await accounts.signIn({ email, password }, peer);
    assert.equal(reasonOf(old), "wrong_credentials");
    assert((await accounts.signIn({ email, password: "another password" }, peer)).ok);
  });

  it("lose their sessions when they lose the admin role", async () => {
    const accounts = await store.open();
    await addUser(accounts, "ada");
    const bob = await addUser(accounts, "bob", "admin");
    const request = await signIn(accounts, "bob");
    assert((await accounts.setRole(bob.id, "admin")).ok);
    assert.notEqual(await accounts.session(request), null);
    assert((await accounts.setRole(bob.id, "user")).ok);
    assert.equal(await accounts.session(request), null);
    assert.equal((await accounts.find(bob.id))?.role, "user");
    const wrong = await accounts.setRole(bob.id, "owner" as Role);
    assert.equal(reasonOf(wrong), "invalid");
  });

  it("keep their sessions with more permissions, and lose them and their links with fewer", async () => {
    const accounts = await store.open();
    const ada = await addUser(accounts, "ada");
    const bob = await addUser(accounts, "bob", "user");
    const steps: [Role, boolean][] = [["viewer", true], ["moderator", true], ["viewer", false]];
    for (const [role, keeps] of steps) {
      const request = await signIn(accounts, "bob");
      assert((await accounts.setRole(bob.id, role)).ok);
      assert.equal(await accounts.session(request) !== null, keeps, role);
      assert.equal((await accounts.find(bob.id))?.role, role);
    }
    assert.equal(reasonOf(await accounts.setRole(ada.id, "moderator")), "last_admin");
  });

  it("lose their sessions when they may see less, and only then", async () => {
    const accounts = await store.open();
    await addUser(accounts, "ada");
    const bob = await addUser(accounts, "bob", "viewer");
    const [own, desk] = [null, "presence-desk"].map((channel) => ({ app: "own", channel }));
    const steps: [Limits, boolean][] = [
      [[desk], false],
      [[own], true],
      [[own, desk], true],
      [[desk], false],
      [null, true],
    ];
    for (const [limits, keeps] of steps) {
      const request = await signIn(accounts, "bob");
      assert.deepEqual(await accounts.setLimits(bob.id, limits), { ok: true, value: !keeps });
      assert.equal(await accounts.session(request) !== null, keeps, JSON.stringify(limits));
      assert.deepEqual((await accounts.find(bob.id))?.limits, limits);
    }
    assert.equal(reasonOf(await accounts.setLimits(bob.id, [])), "invalid");
    assert((await accounts.setLimits(bob.id, [desk])).ok);
    for (const role of ["user", "admin"] as const) {
      assert((await accounts.setRole(bob.id, role)).ok);
      const request = await signIn(accounts, "bob");
      assert((await accounts.setLimits(bob.id, [own])).ok);
      assert((await accounts.setLimits(bob.id, [desk])).ok);
      assert.notEqual(await accounts.session(request), null, role);
    }
    assert((await accounts.setRole(bob.id, "viewer")).ok);
    assert.deepEqual((await accounts.find(bob.id))?.limits, [desk], "an admin's hold again later");
  });

  it("see nothing while their limits cannot be read", async () => {
    const accounts = await store.open();
    const bob = await addUser(accounts, "bob", "viewer");
    const database = await store.database();
    for (const limits of ["", "{", "[]", '[{"app":1}]', "null x"]) {
      await database.queries.updateTable("user").set({ limits }).where("id", "=", bob.id).execute();
      assert.deepEqual((await accounts.find(bob.id))?.limits, [], limits);
    }
  });

  it("that do not exist are not_found by every change", async () => {
    const accounts = await store.open();
    assert.equal(reasonOf(await accounts.setRole("unknown", "admin")), "not_found");
    assert.equal(reasonOf(await accounts.setLimits("unknown", null)), "not_found");
    assert.equal(reasonOf(await accounts.setDisabled("unknown", true)), "not_found");
    assert.equal(reasonOf(await accounts.resetPassword("unknown", password)), "not_found");
  });
});

describeOnEachEngine("the last enabled admin", (store) => {
  it("cannot be demoted or disabled", async () => {
    const accounts = await store.open();
    const ada = await addUser(accounts, "ada");
    const eve = await addUser(accounts, "eve");
    assert((await accounts.setDisabled(eve.id, true)).ok);
    assert.equal(reasonOf(await accounts.setRole(ada.id, "user")), "last_admin");
    assert.equal(reasonOf(await accounts.setDisabled(ada.id, true)), "last_admin");
    assert.deepEqual(await accounts.find(ada.id), ada);
    assert((await accounts.setDisabled(eve.id, false)).ok);
    assert((await accounts.setRole(ada.id, "user")).ok);
    assert.equal(reasonOf(await accounts.setDisabled(eve.id, true)), "last_admin");
  });

  it("stays when two processes demote or disable two admins at the same time", async () => {
    const [here, there] = [await store.open(), await store.open()];
    const ada = await addUser(here, "ada");
    const eve = await addUser(here, "eve");
    const removals = [
      () => here.setRole(ada.id, "user"),
      () => there.setRole(eve.id, "user"),
      () => there.setDisabled(ada.id, true),
      () => here.setDisabled(eve.id, true),
    ];
    for (let run = 0; run < 20; run++) {
      const first = removals[run % 2 * 2];
      const second = removals[run % 4 < 2 ? 1 : 3];
      const results = await Promise.all([first(), second()]);
      const reasons = results.map((result) => result.ok ? "done" : result.reason);
      assert.deepEqual(reasons.sort(), ["done", "last_admin"]);
      const admins = (await here.list()).filter((user) => user.role === "admin" && !user.disabled);
      assert.equal(admins.length, 1);
      await store.query(`update "user" set "role" = 'admin', "banned" = '0'`);
    }
  });
});
