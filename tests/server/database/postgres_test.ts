import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { sql } from "kysely";
import { openPostgres } from "@/server/database/database.ts";
import { DatabaseUnavailable } from "@/server/database/unavailable.ts";
import { until } from "../../fixtures/eventually.ts";
import { startPostgres } from "../../fixtures/postgres.ts";
import { ask } from "../../fixtures/postgres_rows.ts";

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

describe("a transaction in PostgreSQL", () => {
  it("fails, and the process goes on, when its connection is ended between two statements", async () => {
    const postgres = await startPostgres();
    const address = await postgres.createDatabase();
    const database = openPostgres(address, undefined, { timeoutMs: 0 });
    const failed = database.exclusively(async (transaction) => {
      const { rows: [{ pid }] } = await sql<{ pid: number }>`select pg_backend_pid() as pid`
        .execute(transaction);
      await ask(address, `select pg_terminate_backend(${pid})`);
      const left = `select 1 from pg_stat_activity where pid = ${pid}`;
      await until(async () => (await ask(address, left)).length === 0);
      await sql`select 1`.execute(transaction);
    });
    await assert.rejects(failed, DatabaseUnavailable);
    await sql`select 1`.execute(database.queries);
    await database.close();
    await postgres.stop();
  });

  it("keeps others waiting no longer than it may be idle, as a frozen process would", async () => {
    const postgres = await startPostgres();
    const address = await postgres.createDatabase();
    const [frozen, other] = [openPostgres(address), openPostgres(address)];
    const [entered, thawed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const failed = frozen.exclusively(async (transaction) => {
      entered.resolve();
      await thawed.promise;
      await sql`select 1`.execute(transaction);
    }, 100);
    await entered.promise;
    assert.equal(await other.exclusively(() => Promise.resolve("done")), "done");
    thawed.resolve();
    await assert.rejects(failed, DatabaseUnavailable);
    await Promise.all([frozen.close(), other.close()]);
    await postgres.stop();
  });
});
