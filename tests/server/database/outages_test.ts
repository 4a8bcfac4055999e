import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { sql } from "kysely";
import { type Database, openDatabase } from "@/server/database/database.ts";
import { DatabaseUnavailable, type Outage, Outages } from "@/server/database/unavailable.ts";
import { writeSetting } from "@/server/database/stored_setting.ts";

const lost = fault("the connection was lost", false);
const full = fault("the disk is full", true);

function fault(reason: string, isReadable: boolean): DatabaseUnavailable {
  return new DatabaseUnavailable(new Error("of the engine"), { code: "", reason, isReadable });
}

describe("the outages of a database", () => {
  let now: number;
  let outages: Outages;
  let told: string[];
  beforeEach(() => {
    now = 10_000;
    outages = new Outages(() => now);
    told = [];
    const line = (word: string) => ({ reason, since }: Outage) =>
      told.push(`${word}: ${reason}, ${since}`);
    outages.listen({ began: line("began"), ended: line("ended") });
  });

  it("begin with the first failure and end with a success, each reported once", () => {
    outages.failed(lost);
    now += 5_000;
    outages.failed(lost);
    assert.deepEqual(outages.current, { reason: lost.reason, since: 10_000, isReadable: false });
    now += 1_000;
    outages.succeeded(false);
    outages.succeeded(false);
    assert.equal(outages.current, null);
    assert.equal(outages.count, 1);
    assert.deepEqual(told, [`began: ${lost.reason}, 10000`, `ended: ${lost.reason}, 10000`]);
  });

  it("do not end with a read while writes fail", () => {
    outages.failed(full);
    now += 5_000;
    outages.succeeded(false);
    assert.equal(outages.current?.reason, "the disk is full");
    outages.succeeded(true);
    assert.equal(outages.current, null);
  });

  it("do not end with a statement that ran before the failure", () => {
    outages.failed(lost);
    now += 999;
    outages.succeeded(true);
    assert.notEqual(outages.current, null);
  });

  it("become worse, not better, with another fault", () => {
    outages.failed(full);
    now += 1;
    outages.failed(lost);
    outages.failed(full);
    assert.deepEqual(outages.current, { reason: lost.reason, since: 10_000, isReadable: false });
    assert.equal(outages.count, 1);
  });
});

describe("an embedded database without room", () => {
  let dataFolder: string;
  let database: Database;
  beforeEach(async () => {
    dataFolder = await Deno.makeTempDir();
    database = await openDatabase({ dataFolder });
  });
  afterEach(async () => {
    await database.close();
    await Deno.remove(dataFolder, { recursive: true });
  });

  const large = "x".repeat(1_000_000);

  /** Lets the file not grow, or grow again. */
  async function setFull(isFull: boolean): Promise<void> {
    const pages = sql.lit(isFull ? 1 : 1_000_000);
    await sql`pragma max_page_count = ${pages}`.execute(database.queries);
  }

  it("fails each write with the disk's fault, also in a transaction, and works afterwards", async () => {
    await setFull(true);
    const writes = [
      writeSetting(database.queries, "one", large),
      database.exclusively((transaction) => writeSetting(transaction, "two", large)),
    ];
    for (const write of writes) {
      await assert.rejects(write, { name: "DatabaseUnavailable", reason: "the disk is full" });
    }
    assert.equal(database.outages.current?.isReadable, true);
    await database.queries.selectFrom("setting").select("name").execute();
    await setFull(false);
    await database.exclusively((transaction) => writeSetting(transaction, "two", large));
  });
});
