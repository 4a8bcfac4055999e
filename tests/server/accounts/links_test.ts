import assert from "node:assert/strict";
import { it } from "@std/testing/bdd";
import type { Accounts, User } from "@/server/accounts/accounts.ts";
import { insertLink } from "@/server/accounts/account_links.ts";
import { mostInvites } from "@/shared/limits.ts";
import type { Limits } from "@/shared/permissions.ts";
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
const newPassword = "another good password";
const hourMs = 3_600_000;
const quietly = () => Promise.resolve();

/** Invites `NAME@example.org`; the token of the link. */
async function invite(
  accounts: Accounts,
  admin: User,
  name: string,
  role = "user",
  limits: Limits = null,
) {
  const input = { email: `${name}@example.org`, role, limits, createdBy: admin.id };
  const result = await accounts.links.invite(input, quietly);
  assert(result.ok, JSON.stringify(result));
  return result.value.token;
}

/** Makes a link for a user; its token. */
async function resetLink(accounts: Accounts, admin: User, { id: userId }: User) {
  const result = await accounts.links.reset({ userId, createdBy: admin.id }, quietly);
  assert(result.ok, JSON.stringify(result));
  return result.value.token;
}

const accept = (accounts: Accounts, token: string, name = "Dora") =>
  accounts.links.accept({ token, name, password: newPassword }, peer, quietly);
const follow = (accounts: Accounts, token: string) =>
  accounts.links.follow({ token, password: newPassword }, peer, quietly);
const isOpen = async (accounts: Accounts, headers: Headers) =>
  await accounts.session(headers) !== null;

describeOnEachEngine("an invitation", (store) => {
  it("limits the account to apps and channels from its first sign-in on, and none to nothing", async () => {
    const accounts = await store.open();
    const ada = await addUser(accounts, "ada");
    const limits = [{ app: "1", channel: "presence-desk" }, { app: "2", channel: null }];
    const token = await invite(accounts, ada, "dora", "viewer", limits);
    assert.deepEqual((await accounts.links.invites())[0].limits, limits);
    const result = await accept(accounts, token);
    assert(result.ok);
    assert.deepEqual((await accounts.find(result.value.id))?.limits, limits);
    const [email, createdBy] = ["eve@example.org", ada.id];
    const nothing = await accounts.links.invite(
      { email, role: "viewer", limits: [], createdBy },
      quietly,
    );
    assert.equal(reasonOf(nothing), "invalid");
    const unlimited = await accept(accounts, await invite(accounts, ada, "eve", "viewer"), "Eve");
    assert.equal(unlimited.ok && unlimited.value.limits, null);
  });

  it("gives an account with its email and role, and the name and password that were chosen", async () => {
    const accounts = await store.open();
    const ada = await addUser(accounts, "ada");
    const token = await invite(accounts, ada, "DORA", "admin");
    const found = await accounts.links.invited(token, peer);
    assert(found.ok);
    assert.equal(found.value.email, "dora@example.org");
    const result = await accept(accounts, token);
    assert(result.ok);
    const { name, email, role } = result.value;
    assert.deepEqual({ name, email, role }, {
      name: "Dora",
      email: "dora@example.org",
      role: "admin",
    });
    const signedIn = await accounts.signIn({ email, password: newPassword }, peer);
    assert(signedIn.ok);
    assert.equal((await accounts.session(requestWith(signedIn.cookies)))?.user.name, "Dora");
    assert.deepEqual(await accounts.links.invites(), []);
  });

  it("works once, even for two at the same time", async () => {
    const accounts = await store.open();
    const token = await invite(accounts, await addUser(accounts, "ada"), "dora");
    const results = await Promise.all([accept(accounts, token), accept(accounts, token)]);
    assert.deepEqual(results.map(({ ok }) => ok).sort(), [false, true]);
    assert.equal(reasonOf(await accept(accounts, token)), "unknown_link");
  });

  it("still works after a name or password that is refused", async () => {
    const accounts = await store.open();
    const token = await invite(accounts, await addUser(accounts, "ada"), "dora");
    for (
      const input of [{ name: " ", password: newPassword }, { name: "Dora", password: "short" }]
    ) {
      const result = await accounts.links.accept({ token, ...input }, peer, quietly);
      assert.equal(reasonOf(result), "invalid");
    }
    assert((await accept(accounts, token)).ok);
  });

  it("ends after 24 hours", async () => {
    const accounts = await store.open();
    const token = await invite(accounts, await addUser(accounts, "ada"), "dora");
    const passes = (ms: number) =>
      store.query(`update "accountLink" set "expiresAt" = "expiresAt" - ${ms}`);
    await passes(23 * hourMs);
    assert((await accounts.links.invited(token, peer)).ok);
    await passes(hourMs);
    assert.equal(reasonOf(await accounts.links.invited(token, peer)), "unknown_link");
    assert.equal(reasonOf(await accept(accounts, token)), "unknown_link");
    assert.deepEqual(await accounts.links.invites(), []);
  });

  it("is replaced by another for the same email, in any case", async () => {
    const accounts = await store.open();
    const ada = await addUser(accounts, "ada");
    const first = await invite(accounts, ada, "dora");
    const second = await invite(accounts, ada, "Dora", "admin");
    assert.equal(reasonOf(await accept(accounts, first)), "unknown_link");
    assert.equal((await accounts.links.invites()).length, 1);
    assert((await accept(accounts, second)).ok);
  });

  it("can be revoked, once", async () => {
    const accounts = await store.open();
    const token = await invite(accounts, await addUser(accounts, "ada"), "dora");
    const [{ id }] = await accounts.links.invites();
    assert.equal((await accounts.links.revoke(id, quietly))?.id, id);
    assert.equal(await accounts.links.revoke(id, quietly), null);
    assert.equal(await accounts.links.revoke("' or 1 = 1", quietly), null);
    assert.equal(reasonOf(await accept(accounts, token)), "unknown_link");
  });

  it("is refused for an email in use, an invalid one and a role that does not exist", async () => {
    const accounts = await store.open();
    const { id: createdBy } = await addUser(accounts, "ada");
    const make = (email: string, role = "user") =>
      accounts.links.invite({ email, role, limits: null, createdBy }, quietly);
    assert.equal(reasonOf(await make("ADA@example.org")), "email_taken");
    assert.equal(reasonOf(await make("no email")), "invalid");
    assert.equal(reasonOf(await make("dora@example.org", "owner")), "invalid");
  });

  it("ends when its email gets an account otherwise", async () => {
    const accounts = await store.open();
    const token = await invite(accounts, await addUser(accounts, "ada"), "dora");
    await addUser(accounts, "dora");
    assert.equal(reasonOf(await accept(accounts, token)), "unknown_link");
  });

  it("ends with the rights of the admin who made it, and stays ended", async () => {
    for (const end of ["disable", "demote"]) {
      const accounts = await store.open();
      const [ada, eve] = [
        await addUser(accounts, `ada${end}`),
        await addUser(accounts, `eve${end}`),
      ];
      const [ofAda, ofEve] = [
        await invite(accounts, ada, `dora${end}`),
        await invite(accounts, eve, `dan${end}`, "admin"),
      ];
      if (end === "demote") {
        assert((await accounts.setRole(eve.id, "user")).ok);
        assert((await accounts.setRole(eve.id, "admin")).ok);
      } else {
        assert((await accounts.setDisabled(eve.id, true)).ok);
        assert((await accounts.setDisabled(eve.id, false)).ok);
      }
      assert.equal(reasonOf(await accept(accounts, ofEve)), "unknown_link");
      assert((await accept(accounts, ofAda)).ok);
    }
  });

  it("is one of at most 100, of which expired ones do not count", async () => {
    const accounts = await store.open();
    const { id: createdBy } = await addUser(accounts, "ada");
    const database = await store.database();
    await database.exclusively(async (transaction) => {
      for (let i = 0; i < mostInvites; i++) {
        const purpose = { email: `guest${i}@example.org`, role: "user" as const, limits: null };
        await insertLink(transaction, purpose, { createdBy, now: Date.now() });
      }
    });
    const make = (email: string) =>
      accounts.links.invite({ email, role: "user", limits: null, createdBy }, quietly);
    assert.equal(reasonOf(await make("dora@example.org")), "too_many");
    assert((await make("guest7@example.org")).ok, "a new one in place of the old");
    await store.query(
      `update "accountLink" set "expiresAt" = 1 where "email" = 'guest8@example.org'`,
    );
    assert((await make("dora@example.org")).ok);
    const rows = await store.query(`select * from "accountLink"`);
    assert.equal(rows.length, mostInvites, "expired ones are deleted");
  });

  it("is kept as a hash of its token", async () => {
    const accounts = await store.open();
    const token = await invite(accounts, await addUser(accounts, "ada"), "dora");
    const rows = await store.query(`select * from "accountLink"`);
    assert.equal(rows.length, 1);
    assert.ok(!JSON.stringify(rows).includes(token));
  });

  it("is used up only if the admin log has it", async () => {
    const accounts = await store.open();
    const token = await invite(accounts, await addUser(accounts, "ada"), "dora");
    const input = { token, name: "Dora", password: newPassword };
    const failing = () => Promise.reject(new Error("The log is full"));
    await assert.rejects(accounts.links.accept(input, peer, failing), /The log is full/);
    assert.equal((await accounts.list()).length, 1);
    assert((await accept(accounts, token)).ok);
  });
});

describeOnEachEngine("a link to reset a password", (store) => {
  it("sets a new password and ends all sessions of the user, and no others", async () => {
    const accounts = await store.open();
    const [ada, ben] = [await addUser(accounts, "ada"), await addUser(accounts, "ben", "user")];
    const sessions = [await signIn(accounts, "ben"), await signIn(accounts, "ben")];
    const other = await signIn(accounts, "ada");
    const token = await resetLink(accounts, ada, ben);
    const found = await accounts.links.userToReset(token, peer);
    assert(found.ok);
    assert.equal(found.value.email, ben.email);
    for (const session of sessions) {
      assert(await isOpen(accounts, session), "open until it is used");
    }
    assert((await follow(accounts, token)).ok);
    for (const session of sessions) assert(!await isOpen(accounts, session));
    assert(await isOpen(accounts, other));
    const { email } = ben;
    assert.equal(reasonOf(await accounts.signIn({ email, password }, peer)), "wrong_credentials");
    assert((await accounts.signIn({ email, password: newPassword }, peer)).ok);
  });

  it("works once, even for two at the same time, and not as an invitation", async () => {
    const accounts = await store.open();
    const [ada, ben] = [await addUser(accounts, "ada"), await addUser(accounts, "ben")];
    const token = await resetLink(accounts, ada, ben);
    assert.equal(reasonOf(await accept(accounts, token)), "unknown_link");
    assert.equal(
      reasonOf(await follow(accounts, await invite(accounts, ada, "dora"))),
      "unknown_link",
    );
    const results = await Promise.all([follow(accounts, token), follow(accounts, token)]);
    assert.deepEqual(results.map(({ ok }) => ok).sort(), [false, true]);
    assert.equal(await accounts.links.resetLink(ben.id), null);
  });

  it("is replaced by another for the same user", async () => {
    const accounts = await store.open();
    const [ada, ben] = [await addUser(accounts, "ada"), await addUser(accounts, "ben")];
    const first = await resetLink(accounts, ada, ben);
    const ofAda = await resetLink(accounts, ada, ada);
    const second = await resetLink(accounts, ada, ben);
    assert.equal(reasonOf(await follow(accounts, first)), "unknown_link");
    assert((await follow(accounts, second)).ok);
    assert((await follow(accounts, ofAda)).ok, "the link of another user stays");
  });

  it("ends when the user is disabled, and is refused for one", async () => {
    const accounts = await store.open();
    const [ada, ben] = [await addUser(accounts, "ada"), await addUser(accounts, "ben", "user")];
    const token = await resetLink(accounts, ada, ben);
    assert((await accounts.setDisabled(ben.id, true)).ok);
    assert.equal(reasonOf(await accounts.links.userToReset(token, peer)), "unknown_link");
    assert.equal(reasonOf(await follow(accounts, token)), "unknown_link");
    const input = { userId: ben.id, createdBy: ada.id };
    assert.equal(reasonOf(await accounts.links.reset(input, quietly)), "disabled");
    assert((await accounts.setDisabled(ben.id, false)).ok);
    assert.equal(reasonOf(await follow(accounts, token)), "unknown_link", "for good");
  });

  it("does not work for a user who is disabled or gone in the database", async () => {
    const accounts = await store.open();
    const [ada, ben] = [await addUser(accounts, "ada"), await addUser(accounts, "ben", "user")];
    const token = await resetLink(accounts, ada, ben);
    const disabled = store.engine === "sqlite" ? "1" : "true";
    await store.query(`update "user" set "banned" = ${disabled} where "id" = '${ben.id}'`);
    assert.equal(reasonOf(await follow(accounts, token)), "unknown_link");
    await store.query(`delete from "account" where "userId" = '${ben.id}'`);
    await store.query(`delete from "user" where "id" = '${ben.id}'`);
    assert.equal(reasonOf(await follow(accounts, token)), "unknown_link");
    const input = { userId: ben.id, createdBy: ada.id };
    assert.equal(reasonOf(await accounts.links.reset(input, quietly)), "not_found");
  });

  it("ends when the password is set otherwise", async () => {
    const accounts = await store.open();
    const [ada, ben] = [await addUser(accounts, "ada"), await addUser(accounts, "ben")];
    const token = await resetLink(accounts, ada, ben);
    assert((await accounts.resetPassword(ben.id, newPassword)).ok);
    assert.equal(reasonOf(await follow(accounts, token)), "unknown_link");
  });
});

describeOnEachEngine("tokens of links", (store) => {
  it("are limited after 20 wrong ones of a peer, and the right one works from there too", async () => {
    const accounts = await store.open();
    const token = await invite(accounts, await addUser(accounts, "ada"), "dora");
    for (let i = 0; i < 20; i++) {
      const wrong = `${"x".repeat(41)}${String(i).padStart(2, "0")}`;
      assert.equal(reasonOf(await accounts.links.invited(wrong, peer)), "unknown_link");
    }
    const refused = await accounts.links.invited("y".repeat(43), peer);
    assert(!refused.ok && refused.reason === "rate_limited");
    assert(refused.retryAfterSeconds! > 0 && refused.retryAfterSeconds! <= 60);
    assert.equal(
      reasonOf(await accounts.links.invited("y".repeat(43), "192.0.2.2")),
      "unknown_link",
    );
    assert((await accounts.links.invited(token, peer)).ok);
  });

  it("are refused in any other form, and before a password is hashed", async () => {
    const hash = () => Promise.reject(new Error("hashed"));
    const accounts = await store.open({ passwordHashing: { ...quickHashing, hash } });
    for (const token of ["", "x", "x".repeat(44), `${"x".repeat(42)}=`, "' or 1 = 1 --"]) {
      assert.equal(reasonOf(await accept(accounts, token)), "unknown_link", token);
      assert.equal(reasonOf(await follow(accounts, token)), "unknown_link", token);
    }
  });
});
