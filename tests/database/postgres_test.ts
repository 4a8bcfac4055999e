import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { sql } from "kysely";
import { openPostgres } from "../../database/database.ts";
import { startPostgres } from "../fixtures/postgres.ts";

describe("statements in PostgreSQL that take too long", () => {
  it("fail after the limit, and leave the connections usable", async () => {
    const postgres = await startPostgres();
    const statements = { timeoutMs: 0 };
    const database = openPostgres(await postgres.createDatabase(), undefined, statements);
    const sleep = (seconds: number) => sql`select pg_sleep(${seconds})`.execute(database.queries);
    await sleep(0.1);
    statements.timeoutMs = 50;
    const all = Array.from({ length: 20 }, () => sleep(600));
    const outcomes = await Promise.allSettled(all);
    for (const outcome of outcomes) {
      assert.equal(outcome.status, "rejected");
      assert.equal(outcome.reason.reason, "it does not answer");
    }
    assert.equal(database.outages.current?.reason, "it does not answer");
    statements.timeoutMs = 10_000;
    await sleep(0);
    await database.close();
    await postgres.stop();
  });
});

describe("a connection to PostgreSQL that is lost between two statements", () => {
  it("fails the next statement, and is replaced after that", async () => {
    const postgres = await startPostgres();
    const address = await postgres.createDatabase();
    const [database, other] = [openPostgres(address), openPostgres(address)];
    const lost = database.queries.transaction().execute(async (queries) => {
      const { rows: [{ id }] } = await sql<{ id: number }>`select pg_backend_pid() as id`
        .execute(queries);
      await sql`select pg_terminate_backend(${id}, 10000)`.execute(other.queries);
      // What was lost is noticed while another connection works.
      for (let count = 0; count < 20; count++) await sql`select 1`.execute(other.queries);
      await sql`select 1`.execute(queries);
    });
    await assert.rejects(lost);
    await sql`select 1`.execute(database.queries);
    await Promise.all([database.close(), other.close()]);
    await postgres.stop();
  });
});
