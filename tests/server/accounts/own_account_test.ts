import assert from "node:assert/strict";
import { it } from "@std/testing/bdd";
import type { Accounts, Session } from "@/server/accounts/accounts.ts";
import { BusyError } from "@/server/net/window_limits.ts";
import { PasswordWork } from "@/server/accounts/passwords.ts";
import {
  addUser,
  describeOnEachEngine,
  password,
  quickHashing,
  reasonOf,
  signIn,
} from "./stores.ts";

const newPassword = "another good password";
/** Marks that turn the direction of the text around them. */
const bidi = Array.from("\u061c\u200e\u200f\u202e\u2066", (mark) => `Carl${mark}nimda`);
const quietly = () => Promise.resolve();

/** Signs in as Ada, whose session may change the password; a function that tries to. */
async function changer(accounts: Accounts) {
  const headers = await signIn(accounts, "ada");
  const session = await accounts.session(headers);
  assert(session);
  const change = (current: string, endsOthers = true, next = newPassword) =>
    accounts.changeOwnPassword(session, { current, password: next, endsOthers }, quietly);
  return { headers, session, change };
}

const canSignIn = async (accounts: Accounts, with_: string) =>
  (await accounts.signIn({ email: "ada@example.org", password: with_ }, "192.0.2.9")).ok;

describeOnEachEngine("one's own password", (store) => {
  it("changes for who knows the present one, and ends the other sessions of the user only", async () => {
    const accounts = await store.open();
    await addUser(accounts, "ada");
    await addUser(accounts, "ben");
    const others = [await signIn(accounts, "ada"), await signIn(accounts, "ada")];
    const ids = await Promise.all(others.map(async (one) => (await accounts.session(one))?.id));
    const ofBen = await signIn(accounts, "ben");
    const { headers, change } = await changer(accounts);
    const result = await change(password);
    assert(result.ok);
    assert.deepEqual(result.value.sort(), ids.sort());
    for (const other of others) assert.equal(await accounts.session(other), null);
    assert(await accounts.session(headers));
    assert(await accounts.session(ofBen));
    assert(await canSignIn(accounts, newPassword));
    assert(!await canSignIn(accounts, password));
  });

  it("leaves the other sessions open if asked to", async () => {
    const accounts = await store.open();
    await addUser(accounts, "ada");
    const other = await signIn(accounts, "ada");
    const result = await (await changer(accounts)).change(password, false);
    assert.deepEqual(result, { ok: true, value: [] });
    assert(await accounts.session(other));
  });

  it("stays for who does not know the present one, or chooses too short a one", async () => {
    const accounts = await store.open();
    await addUser(accounts, "ada");
    const other = await signIn(accounts, "ada");
    const { change } = await changer(accounts);
    const wrong = await change("wrong password");
    assert(!wrong.ok && wrong.reason === "wrong_password" && wrong.field === "current");
    const short = await change(password, true, "short");
    assert(!short.ok && short.reason === "invalid" && short.field === "password");
    assert(await accounts.session(other));
    assert(await canSignIn(accounts, password));
  });

  it("can be guessed ten times in 15 minutes, and then not even be stated", async () => {
    const accounts = await store.open();
    await addUser(accounts, "ada");
    const { change } = await changer(accounts);
    for (let i = 0; i < 10; i++) {
      assert.equal(reasonOf(await change(`wrong ${i}`)), "wrong_password");
    }
    const refused = await change(password);
    assert(!refused.ok && refused.reason === "rate_limited");
    assert(refused.retryAfterSeconds! > 0 && refused.retryAfterSeconds! <= 900);
    assert(await canSignIn(accounts, password), "signing in has attempts of its own");
    await store.query(`update "signInAttempt" set "since" = "since" - 900000`);
    assert((await change(password)).ok);
    for (let i = 0; i < 10; i++) {
      const again = reasonOf(await change(`wrong ${i}`));
      assert.equal(again, "wrong_password", "the attempts are restored after one that succeeded");
    }
  });

  it("changes five times in an hour at most, and others' go on", async () => {
    const accounts = await store.open();
    await addUser(accounts, "ada");
    const { change } = await changer(accounts);
    const passwords = [password, ...Array.from({ length: 6 }, (_, n) => `password number ${n}`)];
    for (let n = 0; n < 5; n++) assert((await change(passwords[n], true, passwords[n + 1])).ok);
    const refused = await change(passwords[5], true, passwords[6]);
    assert(!refused.ok && refused.reason === "rate_limited");
    assert(refused.retryAfterSeconds! > 3_000 && refused.retryAfterSeconds! <= 3_600);
    assert(await canSignIn(accounts, passwords[5]));
    await store.query(`update "signInAttempt" set "since" = "since" - 900000`);
    assert.equal(reasonOf(await change(passwords[5], true, passwords[6])), "rate_limited");
    await store.query(`update "signInAttempt" set "since" = "since" - 2700000`);
    assert((await change(passwords[5], true, passwords[6])).ok);
  });

  it("stays when the new one is the present one, without any work", async () => {
    const accounts = await store.open({
      passwordHashing: { ...quickHashing, verify: () => Promise.reject(new Error("compared")) },
    });
    await addUser(accounts, "ada");
    const headers = await store.open().then((others) => signIn(others, "ada"));
    const session = await accounts.session(headers);
    assert(session);
    const same = { current: password, password, endsOthers: true };
    const refused = await accounts.changeOwnPassword(session, same, quietly);
    assert(!refused.ok && refused.reason === "invalid" && refused.field === "password");
    assert.match(refused.message, /differs from the current one/);
  });

  it("is changed once at a time", async () => {
    const { promise: isDone, resolve: finish } = Promise.withResolvers<void>();
    const { promise: hasBegun, resolve: begin } = Promise.withResolvers<void>();
    let hold = () => Promise.resolve();
    const accounts = await store.open({
      passwordWork: new PasswordWork({ maxRunning: 3 }),
      passwordHashing: {
        ...quickHashing,
        verify: (entered) => hold().then(() => quickHashing.verify(entered)),
      },
    });
    await addUser(accounts, "ada");
    await addUser(accounts, "ben");
    const { change } = await changer(accounts);
    const ofBen = await accounts.session(await signIn(accounts, "ben"));
    hold = () => {
      begin();
      return isDone;
    };
    const first = change(password);
    await hasBegun;
    await assert.rejects(change(password), BusyError);
    hold = () => Promise.resolve();
    const another = { current: password, password: newPassword, endsOthers: true };
    assert((await accounts.changeOwnPassword(ofBen!, another, quietly)).ok);
    finish();
    assert((await first).ok);
  });

  it("does not undo a reset by an admin at the same moment", async () => {
    let meanwhile = quietly;
    const accounts = await store.open({
      passwordWork: new PasswordWork({ maxRunning: 2 }),
      passwordHashing: {
        ...quickHashing,
        async verify(entered) {
          const isRight = await quickHashing.verify(entered);
          await meanwhile();
          return isRight;
        },
      },
    });
    const { id } = await addUser(accounts, "ada");
    const { change } = await changer(accounts);
    meanwhile = async () => {
      assert((await accounts.resetPassword(id, "set by an admin")).ok);
    };
    assert.equal(reasonOf(await change(password)), "wrong_password");
    meanwhile = quietly;
    assert(await canSignIn(accounts, "set by an admin"));
  });

  it("changes only if the admin log has it", async () => {
    const accounts = await store.open();
    await addUser(accounts, "ada");
    const { session } = await changer(accounts);
    const failing = () => Promise.reject(new Error("The log is full"));
    const change = { current: password, password: newPassword, endsOthers: true };
    await assert.rejects(accounts.changeOwnPassword(session, change, failing), /The log is full/);
    assert(await canSignIn(accounts, password));
  });

  it("takes the link to reset it along", async () => {
    const accounts = await store.open();
    const { id } = await addUser(accounts, "ada");
    const made = await accounts.links.reset({ userId: id, createdBy: id }, quietly);
    assert(made.ok);
    assert((await (await changer(accounts)).change(password)).ok);
    assert.equal(await accounts.links.resetLink(id), null);
  });
});

describeOnEachEngine("one's own name", (store) => {
  it("changes, without spaces around it", async () => {
    const accounts = await store.open();
    const { id } = await addUser(accounts, "ada");
    assert((await accounts.changeOwnName(id, " Ada Lovelace ", quietly)).ok);
    assert.equal((await accounts.find(id))?.name, "Ada Lovelace");
  });

  it("is refused as a new user's is", async () => {
    const accounts = await store.open();
    const { id } = await addUser(accounts, "ada");
    for (const name of ["", "  ", "a\u0000b", "x".repeat(101), ...bidi]) {
      const result = await accounts.changeOwnName(id, name, quietly);
      assert(!result.ok && result.reason === "invalid" && result.field === "name", name);
    }
    assert.equal((await accounts.find(id))?.name, "ada");
  });

  it("changes ten times in 15 minutes at most, as each is in the admin log", async () => {
    const accounts = await store.open();
    const [{ id }, ben] = [await addUser(accounts, "ada"), await addUser(accounts, "ben")];
    let entries = 0;
    const counted = () => Promise.resolve(void entries++);
    for (let i = 0; i < 10; i++) assert((await accounts.changeOwnName(id, `Ada ${i}`, counted)).ok);
    assert.equal(reasonOf(await accounts.changeOwnName(id, "Ada", counted)), "rate_limited");
    assert.equal(entries, 10);
    assert((await accounts.changeOwnName(ben.id, "Benjamin", quietly)).ok);
  });

  it("is not recorded when it stays the same", async () => {
    const accounts = await store.open();
    const { id } = await addUser(accounts, "ada");
    const failing = () => Promise.reject(new Error("not called"));
    assert((await accounts.changeOwnName(id, "ada", failing)).ok);
  });
});

describeOnEachEngine("one's own sessions", (store) => {
  it("have what the browser stated, shortened, and the address", async () => {
    const accounts = await store.open();
    const { id, email } = await addUser(accounts, "ada");
    const userAgent = `Firefox/140.0 ${"x".repeat(1_000)}`;
    assert((await accounts.signIn({ email, password }, "192.0.2.7", undefined, userAgent)).ok);
    const [session] = await accounts.openSessions(id);
    assert.equal(session.userAgent, userAgent.slice(0, 300));
    assert.equal(session.address, "192.0.2.7");
    assert(Math.abs(session.signedInAt - Date.now()) < 60_000);
  });

  it("are seen with the user's requests", async () => {
    const accounts = await store.open();
    const { id } = await addUser(accounts, "ada");
    const headers = await signIn(accounts, "ada");
    const before = new Date(Date.now() - 3_600_000).toISOString();
    await store.query(`update "session" set "updatedAt" = '${before}'`);
    await accounts.session(headers);
    const [{ lastSeenAt }] = await accounts.openSessions(id);
    assert(Math.abs(lastSeenAt - Date.now()) < 60_000);
  });
});

describeOnEachEngine("the owner of an account", (store) => {
  const tenMinutes = 600_000;

  async function sessionOf(accounts: Accounts, name: string): Promise<Session> {
    const session = await accounts.session(await signIn(accounts, name));
    assert(session);
    return session;
  }

  it("is who knows the password, in ten attempts in fifteen minutes", async () => {
    const accounts = await store.open();
    await addUser(accounts, "ada");
    const session = await sessionOf(accounts, "ada");
    assert.ok((await accounts.confirmOwner(session, password)).ok);
    for (let guess = 0; guess < 10; guess++) {
      const refused = await accounts.confirmOwner(session, `guess ${guess}`);
      assert.deepEqual([reasonOf(refused), !refused.ok && refused.field], [
        "wrong_password",
        "confirm",
      ]);
    }
    assert.equal(reasonOf(await accounts.confirmOwner(session, password)), "rate_limited");
  });

  it("is who signed in within ten minutes, where there is no password", async () => {
    const database = await store.database();
    const accounts = await store.open();
    const ada = await addUser(accounts, "ada");
    const session = await sessionOf(accounts, "ada");
    assert.equal(await accounts.hasPassword(ada.id), true);
    await database.queries.updateTable("account").set({ password: null }).execute();
    assert.equal(await accounts.hasPassword(ada.id), false);
    assert.ok((await accounts.confirmOwner(session, "")).ok);
    const createdAt = new Date(Date.now() - tenMinutes);
    await database.queries.updateTable("session").set({ createdAt }).execute();
    assert.equal(reasonOf(await accounts.confirmOwner(session, password)), "wrong_password");
  });
});

describeOnEachEngine("one's own language", (store) => {
  it("is the browser's until one is chosen, and again when that is taken back", async () => {
    const accounts = await store.open();
    const { id, language } = await addUser(accounts, "ada");
    const ben = await addUser(accounts, "ben");
    assert.equal(language, null);
    for (const chosen of ["fr", "en", null]) {
      assert((await accounts.changeOwnLanguage(id, chosen)).ok);
      assert.equal((await accounts.find(id))?.language, chosen);
    }
    assert.deepEqual(await accounts.find(ben.id), ben);
  });

  it("stays for who sends one that there is not", async () => {
    const accounts = await store.open();
    const { id } = await addUser(accounts, "ada");
    await accounts.changeOwnLanguage(id, "de");
    for (const unknown of ["", "nl", "DE", "de-AT", "constructor", "x".repeat(100_000)]) {
      const result = await accounts.changeOwnLanguage(id, unknown);
      assert(!result.ok && result.reason === "invalid" && result.field === "language", unknown);
    }
    assert.equal((await accounts.find(id))?.language, "de");
  });
});
