import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { idBatches } from "@/server/database/cursor.ts";
import {
  endedSessions,
  endOtherSessions,
  endSession,
  hasSessionFrom,
  openSessions,
  SessionUse,
} from "@/server/accounts/sessions.ts";
import type { Database } from "@/server/database/database.ts";
import { hasSignedSession } from "@/server/accounts/session_cookie.ts";
import {
  blockGuest,
  isBlockedGuest,
  listBlockedGuests,
  unblockGuest,
} from "@/server/accounts/guest.ts";
import { describeOnDatabase } from "../../fixtures/databases.ts";
import { addUser, describeOnEachEngine, password, reasonOf, secret, signIn } from "./stores.ts";

const [peer, minute] = ["192.0.2.1", 60_000];

async function insertUser({ queries }: Database, id = "ada"): Promise<void> {
  const date = new Date();
  await queries.insertInto("user").values({
    id,
    name: id,
    email: `${id}@example.org`,
    emailVerified: true,
    image: null,
    createdAt: date,
    updatedAt: date,
    role: "user",
    banned: false,
    banReason: null,
    banExpires: null,
  }).execute();
}

/** Opens a session of Ada, which expires so long from now. */
async function open(
  { queries }: Database,
  id: string,
  expiresInMs: number,
  { userId = "ada", at = new Date(), userAgent = null as string | null } = {},
): Promise<void> {
  await queries.insertInto("session").values({
    id,
    token: id,
    userId,
    ipAddress: peer,
    userAgent,
    createdAt: at,
    updatedAt: at,
    impersonatedBy: null,
    expiresAt: new Date(Date.now() + expiresInMs),
  }).execute();
}

describe("many ids", () => {
  it("are looked up 500 at a time, each of them once", () => {
    const ids = Array.from({ length: 1_201 }, (_, index) => String(index));
    const batches = [...idBatches(ids)];
    assert.deepEqual(batches.flat(), ids);
    assert.deepEqual(batches.map(({ length }) => length), [500, 500, 201]);
  });
});

describeOnDatabase("the sessions", (store) => {
  it("have ended when they are gone or expired, however many are asked for", async () => {
    const database = await store.open();
    await insertUser(database);
    await open(database, "open", minute);
    await open(database, "expired", -1);
    const many = Array.from({ length: 600 }, (_, index) => `gone${index}`);
    const ended = await endedSessions(database, [...many, "expired", "open"]);
    assert.deepEqual(ended, [...many, "expired"]);
  });

  it("vouch for the account's peer until they expire", async () => {
    const database = await store.open();
    await insertUser(database);
    await open(database, "expired", -1);
    const has = (email: string, peer: string) => hasSessionFrom(database.queries, email, peer);
    assert.equal(await has("ada@example.org", peer), false);
    await open(database, "open", minute);
    assert.equal(await has("ada@example.org", peer), true);
    assert.equal(await has("ada@example.org", "192.0.2.2"), false);
    assert.equal(await has("ben@example.org", peer), false);
  });

  it("are listed for their user, those seen last first", async () => {
    const database = await store.open();
    await insertUser(database);
    await insertUser(database, "ben");
    const [earlier, later] = [Date.UTC(2026, 0, 1), Date.UTC(2026, 0, 2)];
    await open(database, "early", minute, { at: new Date(earlier), userAgent: "Firefox/1" });
    await open(database, "late", minute, { at: new Date(later) });
    await open(database, "expired", -1);
    await open(database, "of-ben", minute, { userId: "ben" });
    assert.deepEqual(await openSessions(database, "ada"), [
      { id: "late", signedInAt: later, lastSeenAt: later, userAgent: "", address: peer },
      {
        id: "early",
        signedInAt: earlier,
        lastSeenAt: earlier,
        userAgent: "Firefox/1",
        address: peer,
      },
    ]);
  });

  it("end one by one, but only by their own user", async () => {
    const database = await store.open();
    await insertUser(database);
    await insertUser(database, "ben");
    await open(database, "one", minute);
    assert.equal(await endSession(database, "ben", "one"), false);
    assert.deepEqual(await endedSessions(database, ["one"]), []);
    assert.equal(await endSession(database, "ada", "one"), true);
    assert.deepEqual(await endedSessions(database, ["one"]), ["one"]);
    assert.equal(await endSession(database, "ada", "one"), false);
  });

  it("end all together but the one that is kept and other users'", async () => {
    const database = await store.open();
    await insertUser(database);
    await insertUser(database, "ben");
    for (const id of ["one", "two", "kept"]) await open(database, id, minute);
    await open(database, "of-ben", minute, { userId: "ben" });
    const ended = await endOtherSessions(database.queries, "ada", "kept");
    assert.deepEqual(ended.sort(), ["one", "two"]);
    assert.deepEqual(await endedSessions(database, ["one", "two", "kept", "of-ben"]), ended);
  });

  it("have the time of their last use, to the minute", async () => {
    const database = await store.open();
    await insertUser(database);
    const start = Date.UTC(2026, 0, 1);
    await open(database, "one", minute, { at: new Date(start) });
    const use = new SessionUse(database);
    const lastSeen = async () => (await openSessions(database, "ada"))[0].lastSeenAt;
    const recordAt = (at: number, updatedAt: number) =>
      use.record({ id: "one", userId: "ada", updatedAt: new Date(updatedAt) }, at);
    await recordAt(start + minute - 1, start);
    assert.equal(await lastSeen(), start);
    await recordAt(start + minute, start);
    assert.equal(await lastSeen(), start + minute);
    // A request that read the session before that was stored.
    await recordAt(start + minute + 1, start);
    assert.equal(await lastSeen(), start + minute);
  });
});

it("a session can be used though its use cannot be stored, which is tried once a minute", async () => {
  let tries = 0;
  const queries = {
    updateTable() {
      tries++;
      throw new Error("The disk is full");
    },
  };
  // A use needs nothing else of a database.
  const use = new SessionUse({ queries } as unknown as Database);
  const session = { id: "one", userId: "ada", updatedAt: new Date(0) };
  for (const at of [minute, minute + 1, 2 * minute]) await use.record(session, at);
  assert.equal(tries, 2);
});

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

const noon = Date.UTC(2023, 10, 17, 12);
const blockedBy = "a".repeat(32);

function guestId(number: number): string {
  return "guest-" + number.toString(16).padStart(32, "0");
}

describeOnDatabase("a blocked guest", (store) => {
  it("is blocked until unblocked, across a restart", async () => {
    const database = await store.open();
    const guest = { guestId: guestId(1), blockedAt: noon, blockedBy };
    assert.equal(await isBlockedGuest(database, guest.guestId), false);
    assert(await blockGuest(database, guest));
    assert(await blockGuest(database, { ...guest, blockedAt: noon + 1 }));
    assert.equal(await isBlockedGuest(await store.open(), guest.guestId), true);
    assert.equal(await isBlockedGuest(database, guestId(2)), false);
    assert.deepEqual(await listBlockedGuests(database, 10), [{ ...guest, blockedAt: noon + 1 }]);
    assert.equal(await unblockGuest(database, guest.guestId), true);
    assert.equal(await unblockGuest(database, guest.guestId), false);
    assert.equal(await isBlockedGuest(database, guest.guestId), false);
  });

  it("has the id of a guest; other ids are refused", async () => {
    const database = await store.open();
    for (const id of ["", "\0", "a".repeat(32), "guest-1", guestId(1) + "\n"]) {
      assert.equal(await blockGuest(database, { guestId: id, blockedAt: noon, blockedBy }), false);
      assert.equal(await isBlockedGuest(database, id), false);
      assert.equal(await unblockGuest(database, id), false);
    }
    assert.deepEqual(await listBlockedGuests(database, 10), []);
  });

  it("is unblocked when 10,000 others are blocked later", async () => {
    const database = await store.open();
    const guests = Array.from({ length: 10_000 }, (_, index) => ({
      guestId: guestId(index),
      blockedAt: noon + index,
      blockedBy,
    }));
    for (let first = 0; first < guests.length; first += 1_000) {
      await database.queries.insertInto("blockedGuest").values(guests.slice(first, first + 1_000))
        .execute();
    }
    assert(
      await blockGuest(database, { guestId: guestId(10_000), blockedAt: 2 * noon, blockedBy }),
    );
    assert.equal(await isBlockedGuest(database, guestId(0)), false);
    assert.equal(await isBlockedGuest(database, guestId(1)), true);
    assert.equal((await listBlockedGuests(database, 20_000)).length, 10_000);
  });
});

describeOnEachEngine("expired sessions", (store) => {
  it("are deleted some at a time, with each attempt to sign in, and the others stay", async () => {
    const database = await store.database();
    const accounts = await store.open();
    await insertUser(database);
    for (let index = 0; index < 450; index++) await open(database, `old ${index}`, -1);
    await open(database, "valid", minute);
    const left = async () => {
      const input = { email: "stranger@example.org", password: "wrong password" };
      assert.equal(reasonOf(await accounts.signIn(input, peer)), "wrong_credentials");
      return (await store.query(`select id from "session"`)).map(({ id }) => id);
    };
    const { length } = await left();
    assert.ok(length > 1 && length < 451, `${length} sessions`);
    await left();
    assert.deepEqual(await left(), ["valid"]);
  });
});
