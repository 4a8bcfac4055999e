import assert from "node:assert/strict";
import { it } from "@std/testing/bdd";
import { Secret, TOTP } from "otpauth";
import type { Accounts, Session, User } from "@/server/accounts/accounts.ts";
import type { SecondFactorRecords } from "@/server/accounts/second_factors.ts";
import { hasSessionFrom } from "@/server/accounts/sessions.ts";
import { newDevice } from "@/server/accounts/sign_in.ts";
import { deleteUser } from "@/server/accounts/users.ts";
import { requireAuthority } from "@/server/audit/authority.ts";
import { personExport } from "@/server/privacy/person_export.ts";
import {
  addUser,
  describeOnEachEngine,
  password,
  reasonOf,
  requestWith,
  secret,
  signIn,
  type Store,
} from "./stores.ts";

const quietly = () => Promise.resolve();
const codeRecords = { added: quietly, replaced: quietly };
const records: SecondFactorRecords = {
  added: quietly,
  passkeyAdded: () => quietly,
  recoveryCodeUsed: quietly,
};
const client = { peerAddress: "192.0.2.1", userAgent: "test" };
const stepMs = 30_000;
const hourMs = 3_600_000;

/** Codes of an app at a time. */
const codesOf = (base32: string) => (timestamp: number) =>
  new TOTP({ secret: Secret.fromBase32(base32) }).generate({ timestamp });

async function sessionOf(accounts: Accounts, headers: Headers): Promise<Session> {
  const session = await accounts.session(headers);
  assert(session);
  return session;
}

/** A user who has set codes up, with what the app shows, and the recovery codes. */
async function withCodes(store: Store, name = "ada", present?: User) {
  const accounts = await store.open();
  const user = present ?? await addUser(accounts, name);
  const headers = await signIn(accounts, name);
  const session = await sessionOf(accounts, headers);
  const setup = accounts.secondFactors.begin(user);
  const codeAt = codesOf(setup.secret);
  const now = Date.now();
  const form = { sealed: setup.sealed, code: codeAt(now), current: password };
  const result = await accounts.secondFactors.setUp(session, form, codeRecords, now);
  assert(result.ok, JSON.stringify(result));
  return { accounts, user, headers, session, codeAt, now, ...result.value };
}

/** What a browser has whose password was right. */
async function ticketOf(accounts: Accounts, name = "ada", peer = "192.0.2.1"): Promise<string> {
  const result = await accounts.signIn({ email: `${name}@example.org`, password }, peer);
  assert(!result.ok && result.reason === "second_factor", JSON.stringify(result));
  return result.ticket;
}

describeOnEachEngine("a second factor", (store) => {
  it("is asked for after the password, and no session is there before", async () => {
    const { accounts, user, codeAt, now } = await withCodes(store);
    const before = (await accounts.openSessions(user.id)).length;
    const ticket = await ticketOf(accounts);
    assert.equal((await accounts.openSessions(user.id)).length, before);
    const at = now + stepMs;
    const wrong = await accounts.secondFactors.signIn(ticket, "000000", client, records, at);
    assert.equal(reasonOf(wrong), "wrong_code");
    assert.equal((await accounts.openSessions(user.id)).length, before);
    const right = await accounts.secondFactors.signIn(ticket, codeAt(at), client, records, at);
    assert(right.ok);
    const session = await sessionOf(accounts, requestWith(right.value.cookies));
    assert.equal(session.user.id, user.id);
    const wrongPassword = { email: user.email, password: "quite another one" };
    assert.equal(
      reasonOf(await accounts.signIn(wrongPassword, "192.0.2.1")),
      "wrong_credentials",
    );
  });

  it("ends the sessions that have not shown one, and stays when the password is reset", async () => {
    const accounts = await store.open();
    await addUser(accounts, "ada");
    const other = await signIn(accounts, "ada");
    const headers = await signIn(accounts, "ada");
    const session = await sessionOf(accounts, headers);
    const { sealed, secret } = accounts.secondFactors.begin(session.user);
    const code = codesOf(secret)(Date.now());
    const form = { sealed, code, current: password };
    const result = await accounts.secondFactors.setUp(session, form, codeRecords);
    assert(result.ok);
    assert.equal(result.value.ended.length, 1);
    assert.equal(await accounts.session(other), null);
    assert(await accounts.session(headers));
    const ticket = await ticketOf(accounts);
    assert((await accounts.resetPassword(session.user.id, password)).ok);
    const late = await accounts.secondFactors.pending(ticket);
    assert.equal(late, null, "the ticket of the password before");
    await ticketOf(accounts);
  });

  it("makes a session with a password alone none, wherever one is looked for, until it is gone", async () => {
    const accounts = await store.open();
    const user = await addUser(accounts, "ada");
    const database = await store.database();
    const { queries } = database;
    const headers = await signIn(accounts, "ada", "198.51.100.4");
    const { id } = await sessionOf(accounts, headers);
    const row = await queries.selectFrom("session").selectAll().executeTakeFirstOrThrow();
    const isOpen = async (isRequired = false) => {
      const here = isRequired ? await store.open({ requiresSecondFactor: true }) : accounts;
      const acts = isRequired ||
        await database.exclusively((transaction) =>
          requireAuthority(transaction, user.id, { sessionId: id, needs: "manage", limits: null })
            .then(() => true, () => false)
        );
      return [
        await here.session(headers) !== null,
        (await here.endedSessions([id])).length === 0,
        (await here.openSessions(user.id)).some((session) => session.id === id),
        await hasSessionFrom(queries, user.email, "198.51.100.4", isRequired),
        acts,
      ];
    };
    const everywhere = [true, true, true, true, true];
    const nowhere = [false, false, false, false, false];
    assert.deepEqual(await isOpen(), everywhere);
    assert.deepEqual(await isOpen(true), [...nowhere.slice(1), true], "once everyone needs one");
    const there = await withCodes(store, "ada", user);
    assert.deepEqual(await isOpen(), nowhere, "it ended");
    // As a sign-in leaves it that was under way meanwhile.
    await queries.insertInto("session").values(row).execute();
    assert.deepEqual(await isOpen(), nowhere);
    assert(await accounts.session(there.headers), "where it was set up");
    assert((await accounts.secondFactors.remove(user.id, password, quietly)).ok);
    assert.deepEqual(await isOpen(), everywhere);
  });

  it("is set up only by who knows the password and has the app", async () => {
    const accounts = await store.open();
    const user = await addUser(accounts, "ada");
    const ben = await addUser(accounts, "ben");
    const session = await sessionOf(accounts, await signIn(accounts, "ada"));
    const { secondFactors } = accounts;
    const { sealed, secret } = secondFactors.begin(user);
    const code = codesOf(secret)(Date.now());
    const fails = () => Promise.reject(new Error("it was recorded"));
    const attempt = async (form: { sealed?: string; code?: string; current?: string }) =>
      reasonOf(
        await secondFactors.setUp(
          session,
          { sealed, code, current: password, ...form },
          { added: fails, replaced: fails },
        ),
      );
    assert.equal(await attempt({ current: "quite another one" }), "wrong_password");
    assert.equal(await attempt({ code: "000000" }), "wrong_code");
    assert.equal(await attempt({ sealed: secondFactors.begin(ben).sealed }), "unknown_link");
    assert.equal(await secondFactors.of(user.id), null);
    await signIn(accounts, "ada");
  });

  it("takes each code once, also at the same time and on other servers", async () => {
    const { accounts, codeAt, now, codes } = await withCodes(store);
    const elsewhere = await store.open();
    const at = now + stepMs;
    for (const code of [codeAt(at), codes[0]]) {
      const ticket = await ticketOf(accounts);
      const outcomes = await Promise.all(
        [accounts, elsewhere, accounts, elsewhere].map(({ secondFactors }) =>
          secondFactors.signIn(ticket, code, client, records, at)
        ),
      );
      assert.deepEqual(outcomes.map(({ ok }) => ok).sort(), [false, false, false, true]);
    }
    const ticket = await ticketOf(accounts);
    for (const used of [codeAt(now), codeAt(at), codes[0]]) {
      const again = await elsewhere.secondFactors.signIn(ticket, used, client, records, at);
      assert.equal(reasonOf(again), "wrong_code");
    }
  });

  it("has recovery codes, of which each is recorded and new ones replace all", async () => {
    const { accounts, user, codes, session } = await withCodes(store);
    const used: string[] = [];
    const recording = {
      ...records,
      recoveryCodeUsed: (_: unknown, { name }: { name: string }) => {
        used.push(name);
        return Promise.resolve();
      },
    };
    const typed = ` ${codes[3].toUpperCase().replace("-", " ")} `;
    const signedIn = await accounts.secondFactors.signIn(
      await ticketOf(accounts),
      typed,
      client,
      recording,
    );
    assert(signedIn.ok);
    assert.deepEqual(used, ["ada"]);
    assert.equal((await accounts.secondFactors.of(user.id))?.recoveryCodesLeft, 9);
    const { secondFactors } = accounts;
    const refused = await secondFactors.replaceRecoveryCodes(user.id, "wrong", quietly);
    assert.equal(reasonOf(refused), "wrong_password");
    const renewed = await secondFactors.replaceRecoveryCodes(user.id, password, quietly);
    assert(renewed.ok);
    assert.equal((await secondFactors.of(user.id))?.recoveryCodesLeft, 10);
    const ticket = await ticketOf(accounts);
    const old = await secondFactors.signIn(ticket, codes[4], client, records);
    assert.equal(reasonOf(old), "wrong_code");
    assert((await secondFactors.signIn(ticket, renewed.value[4], client, records)).ok);
    const there = await sessionOf(accounts, requestWith(signedIn.value.cookies));
    assert.deepEqual([there.user.id, there.id === session.id], [user.id, false]);
  });

  it("has codes that a lost phone's are replaced by, with new recovery codes, by who knows the password", async () => {
    const { accounts, user, headers, session, codeAt, now, codes } = await withCodes(store);
    const required = await store.open({ requiresSecondFactor: true });
    const elsewhere = await required.secondFactors.signIn(
      await ticketOf(required),
      codes[1],
      client,
      records,
      now,
    );
    assert(elsewhere.ok);
    const { secondFactors } = required;
    const { sealed, secret: base32 } = secondFactors.begin(user);
    const newCodeAt = codesOf(base32);
    const at = now + stepMs;
    const done: string[] = [];
    const recorded = {
      added: () => Promise.resolve(void done.push("added")),
      replaced: () => Promise.resolve(void done.push("replaced")),
    };
    const replace = (form: { code?: string; current?: string }) =>
      secondFactors.setUp(
        session,
        { sealed, code: newCodeAt(at), current: password, ...form },
        recorded,
        at,
      );
    assert.equal(reasonOf(await replace({ current: "quite another one" })), "wrong_password");
    assert.equal(reasonOf(await replace({ code: "000000" })), "wrong_code");
    assert.deepEqual(done, []);
    const replaced = await replace({});
    assert(replaced.ok);
    assert.deepEqual(done, ["replaced"]);
    assert.equal(reasonOf(await replace({})), "invalid", "the same form again");
    assert.equal(replaced.value.ended.length, 1);
    assert.equal(await accounts.session(requestWith(elsewhere.value.cookies)), null);
    assert(await required.session(headers));
    const later = at + stepMs;
    const attempt = async (code: string) => {
      const ticket = await ticketOf(required);
      return (await secondFactors.signIn(ticket, code, client, records, later)).ok;
    };
    const [old, new_] = [codes[2], replaced.value.codes[2]];
    const outcomes = [];
    for (const code of [codeAt(later), old, newCodeAt(later), new_]) {
      outcomes.push(await attempt(code));
    }
    assert.deepEqual(outcomes, [false, false, true, true]);
  });

  it("limits guesses by account over servers, those of known browsers apart and together", async () => {
    const { accounts, user, codeAt, now } = await withCodes(store);
    const elsewhere = await store.open();
    const at = now + stepMs;
    const ticket = await ticketOf(accounts);
    for (let guess = 0; guess < 10; guess++) {
      const { secondFactors } = guess % 2 === 0 ? accounts : elsewhere;
      const from = { ...client, peerAddress: `192.0.2.${guess + 10}` };
      const outcome = await secondFactors.signIn(ticket, "000000", from, records, at);
      assert.equal(reasonOf(outcome), "wrong_code");
    }
    for (const { secondFactors } of [accounts, elsewhere]) {
      const full = await secondFactors.signIn(ticket, codeAt(at), client, records, at);
      assert(!full.ok && full.reason === "rate_limited");
      assert(full.retryAfterSeconds! > 3_000 && full.retryAfterSeconds! <= hourMs / 1_000);
    }
    const known = () => ({ ...client, device: newDevice(secret, user.email) });
    for (let guess = 0; guess < 9; guess++) {
      const outcome = await accounts.secondFactors.signIn(ticket, "000000", known(), records, at);
      assert.equal(reasonOf(outcome), "wrong_code");
    }
    assert((await accounts.secondFactors.signIn(ticket, codeAt(at), known(), records, at)).ok);
    const outcomes = [];
    for (let guess = 0; guess < 11; guess++) {
      const from = { ...known(), peerAddress: "203.0.113.40" };
      outcomes.push(reasonOf(await elsewhere.secondFactors.signIn(ticket, "0", from, records, at)));
    }
    assert.deepEqual(outcomes, [...Array(10).fill("wrong_code"), "rate_limited"]);
  });

  it("limits guesses by client over accounts, and right codes do not count", async () => {
    const { accounts, codeAt, codes, now } = await withCodes(store);
    const guesser = { ...client, peerAddress: "198.51.100.7" };
    const users = await Promise.all(["b", "c", "d", "e"].map((name) => withCodes(store, name)));
    let refusals = 0;
    for (const { user } of users) {
      const ticket = await ticketOf(accounts, user.name, "203.0.113.9");
      for (let guess = 0; guess < 9; guess++) {
        const outcome = await accounts.secondFactors.signIn(ticket, "000000", guesser, records);
        if (reasonOf(outcome) === "rate_limited") refusals++;
      }
    }
    assert.equal(refusals, 4 * 9 - 30);
    const at = now + stepMs;
    const right = { ...client, peerAddress: "198.51.100.8" };
    const attempt = async (name: string, code: string) => {
      const ticket = await ticketOf(accounts, name, "203.0.113.9");
      const outcome = await accounts.secondFactors.signIn(ticket, code, right, records, at);
      return outcome.ok ? "signed_in" : outcome.reason;
    };
    const outcomes = [await attempt("ada", codeAt(at))];
    const names = await Promise.all(["f", "g", "h"].map((name) => withCodes(store, name)));
    for (const { user } of names) {
      for (let guess = 0; guess < 10; guess++) outcomes.push(await attempt(user.name, "000000"));
    }
    outcomes.push(await attempt("ada", codes[0]));
    const wrong = Array(30).fill("wrong_code");
    assert.deepEqual(outcomes, ["signed_in", ...wrong, "rate_limited"]);
  });

  it("can be taken away by its user, and reset by an admin, who ends the sessions", async () => {
    const { accounts, user, headers } = await withCodes(store);
    const { secondFactors } = accounts;
    assert.equal(reasonOf(await secondFactors.remove(user.id, "wrong", quietly)), "wrong_password");
    assert((await secondFactors.remove(user.id, password, quietly)).ok);
    assert.equal(await secondFactors.of(user.id), null);
    assert(await accounts.session(headers));
    assert.equal(reasonOf(await secondFactors.reset(user.id, quietly)), "not_found");
    const ben = await withCodes(store, "ben");
    assert((await ben.accounts.secondFactors.reset(ben.user.id, quietly)).ok);
    assert.equal(await ben.accounts.session(ben.headers), null);
    await signIn(ben.accounts, "ben");
    const cleo = await withCodes(store, "cleo");
    const failing = () => Promise.reject(new Error("not recorded"));
    await assert.rejects(cleo.accounts.secondFactors.reset(cleo.user.id, failing), /not recorded/);
    assert(await cleo.accounts.secondFactors.of(cleo.user.id));
    assert(await cleo.accounts.session(cleo.headers));
  });

  it("can be required: who has none sets it up before the first session", async () => {
    const before = await store.open();
    const user = await addUser(before, "ada");
    const old = await signIn(before, "ada");
    const accounts = await store.open({ requiresSecondFactor: true });
    assert.equal(await accounts.session(old), null, "a session of before, with a password alone");
    const ticket = await ticketOf(accounts);
    const pending = await accounts.secondFactors.pending(ticket);
    assert.equal(pending?.hasFactor, false);
    const { sealed, secret: base32 } = accounts.secondFactors.begin(user);
    const now = Date.now();
    const wrong = await accounts.secondFactors.signInWithSetup(
      ticket,
      { sealed, code: "000000" },
      client,
      records,
      now,
    );
    assert.equal(reasonOf(wrong), "wrong_code");
    const noneYet = await accounts.secondFactors.signIn(ticket, "000000", client, records, now);
    assert.equal(reasonOf(noneYet), "wrong_code");
    const codeAt = codesOf(base32);
    const done = await accounts.secondFactors.signInWithSetup(
      ticket,
      { sealed, code: codeAt(now) },
      client,
      records,
      now,
    );
    assert(done.ok);
    assert.equal(done.value.codes.length, 10);
    const headers = requestWith(done.value.cookies);
    assert(await accounts.session(headers));
    const again = accounts.secondFactors.begin(user);
    const second = await accounts.secondFactors.signInWithSetup(
      ticket,
      { sealed: again.sealed, code: codesOf(again.secret)(now) },
      client,
      records,
      now,
    );
    assert.equal(reasonOf(second), "invalid", "the password alone does not replace it");
    const removed = await accounts.secondFactors.remove(user.id, password, quietly);
    assert.equal(reasonOf(removed), "invalid");
  });

  it("is in an export as a fact, and deleted with the account", async () => {
    const { user, codes, codeAt, now } = await withCodes(store);
    const ben = await withCodes(store, "ben");
    const database = await store.database();
    const person = { id: user.id, appId: "1" };
    const exported = (await Array.fromAsync(personExport(database, person))).join("");
    const { account } = JSON.parse(exported);
    assert.equal(account.secondFactor.recoveryCodesLeft, 10);
    assert(Math.abs(Date.parse(account.secondFactor.oneTimeCodesSince) - now) < 1);
    const stored = await database.queries.selectFrom("oneTimeCode").selectAll().execute();
    for (const secret of [...codes, codeAt(now), ...stored.map((row) => row.encryptedSecret)]) {
      assert(!exported.includes(secret), secret);
    }
    await database.exclusively((transaction) => deleteUser(transaction, user.id));
    for (const table of ["oneTimeCode", "recoveryCode"] as const) {
      const rows = await database.queries.selectFrom(table).select("userId").execute();
      assert.deepEqual([...new Set(rows.map(({ userId }) => userId))], [ben.user.id]);
    }
  });

  it("is not asked of who signs in with a provider", async () => {
    const accounts = await store.open({ requiresSecondFactor: true });
    const user = await addUser(accounts, "ada");
    const from = { peerAddress: "192.0.2.1", userAgent: "", seconds: 60 };
    const signedIn = await accounts.signInVouchee(user, from);
    assert(signedIn.ok);
    assert(await accounts.session(requestWith(signedIn.cookies)));
  });

  it("signs no one in by a ticket that is old, forged or of a disabled user", async () => {
    const { accounts, user, codeAt, now } = await withCodes(store);
    const ticket = await ticketOf(accounts);
    const { secondFactors } = accounts;
    const [userId, content, signature] = ticket.split(".");
    const ben = await addUser(accounts, "ben");
    const later = btoa(JSON.stringify({ at: now + 60_000 })).replaceAll("=", "");
    const tickets = [
      undefined,
      "",
      "x",
      userId,
      `${userId}.${content}.`,
      `${ben.id}.${content}.${signature}`,
      `${userId}.${later}.${signature}`,
      `.${content}.${signature}`,
    ];
    for (const bad of tickets) {
      const outcome = await secondFactors.signIn(bad, codeAt(now), client, records, now);
      assert.equal(reasonOf(outcome), "unknown_link", String(bad));
    }
    const late = now + 11 * 60_000;
    const old = await secondFactors.signIn(ticket, codeAt(late), client, records, late);
    assert.equal(reasonOf(old), "unknown_link");
    await addUser(accounts, "admin");
    assert((await accounts.setDisabled(user.id, true)).ok);
    const at = now + stepMs;
    const disabled = await secondFactors.signIn(ticket, codeAt(at), client, records, at);
    assert.equal(reasonOf(disabled), "unknown_link");
  });
});
