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
import { describeOnEachDatabase } from "../../fixtures/databases.ts";

const [peer, minute] = ["192.0.2.1", 60_000];

async function addUser({ queries }: Database, id = "ada"): Promise<void> {
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

describeOnEachDatabase("the sessions", (store) => {
  it("have ended when they are gone or expired, however many are asked for", async () => {
    const database = await store.open();
    await addUser(database);
    await open(database, "open", minute);
    await open(database, "expired", -1);
    const many = Array.from({ length: 600 }, (_, index) => `gone${index}`);
    const ended = await endedSessions(database, [...many, "expired", "open"]);
    assert.deepEqual(ended, [...many, "expired"]);
  });

  it("vouch for the account's peer until they expire", async () => {
    const database = await store.open();
    await addUser(database);
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
    await addUser(database);
    await addUser(database, "ben");
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
    await addUser(database);
    await addUser(database, "ben");
    await open(database, "one", minute);
    assert.equal(await endSession(database, "ben", "one"), false);
    assert.deepEqual(await endedSessions(database, ["one"]), []);
    assert.equal(await endSession(database, "ada", "one"), true);
    assert.deepEqual(await endedSessions(database, ["one"]), ["one"]);
    assert.equal(await endSession(database, "ada", "one"), false);
  });

  it("end all together but the one that is kept and other users'", async () => {
    const database = await store.open();
    await addUser(database);
    await addUser(database, "ben");
    for (const id of ["one", "two", "kept"]) await open(database, id, minute);
    await open(database, "of-ben", minute, { userId: "ben" });
    const ended = await endOtherSessions(database.queries, "ada", "kept");
    assert.deepEqual(ended.sort(), ["one", "two"]);
    assert.deepEqual(await endedSessions(database, ["one", "two", "kept", "of-ben"]), ended);
  });

  it("have the time of their last use, to the minute", async () => {
    const database = await store.open();
    await addUser(database);
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
