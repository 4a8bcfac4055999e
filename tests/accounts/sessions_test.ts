import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { idBatches } from "../../accounts/id_batches.ts";
import { endedSessions, hasSessionFrom } from "../../accounts/sessions.ts";
import type { Database } from "../../database/database.ts";
import { describeOnEachDatabase } from "../fixtures/databases.ts";

const [peer, minute] = ["192.0.2.1", 60_000];

async function addUser({ queries }: Database): Promise<void> {
  const date = new Date();
  await queries.insertInto("user").values({
    ...{ id: "ada", name: "Ada", email: "ada@example.org", emailVerified: true, image: null },
    ...{ createdAt: date, updatedAt: date, role: "user", banned: false },
    ...{ banReason: null, banExpires: null },
  }).execute();
}

/** Opens a session of Ada, which expires so long from now. */
async function open({ queries }: Database, id: string, expiresInMs: number): Promise<void> {
  const date = new Date();
  await queries.insertInto("session").values({
    ...{ id, token: id, userId: "ada", ipAddress: peer, userAgent: null },
    ...{ createdAt: date, updatedAt: date, impersonatedBy: null },
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
});
