import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { describe, it } from "@std/testing/bdd";
import { Kysely, sql } from "kysely";
import { NodeSqliteDialect } from "@/server/database/sqlite_dialect.ts";

/** SQLite's result codes while another connection writes, or recovers the write-ahead log. */
const locks = { "SQLITE_BUSY": 5, "SQLITE_BUSY_RECOVERY": 261 };

describe("a statement in SQLite", () => {
  for (const [name, errcode] of Object.entries(locks)) {
    it(`is retried after ${name}`, async () => {
      const { queries, failWith } = open();
      failWith(errcode);
      const { rows } = await sql<{ seven: number }>`select 7 as seven`.execute(queries);
      assert.deepEqual(rows.map(({ seven }) => seven), [7]);
      await queries.destroy();
    });
  }

  it("is not retried after another error", async () => {
    const { queries, failWith } = open();
    failWith(1);
    await assert.rejects(sql`select 7`.execute(queries), /locked or wrong/);
    await queries.destroy();
  });
});

/** A database whose next statement fails once, with a result code. */
function open() {
  const database = new DatabaseSync(":memory:");
  const prepare = database.prepare.bind(database);
  const failWith = (errcode: number) => {
    database.prepare = () => {
      database.prepare = prepare;
      throw Object.assign(new Error("locked or wrong"), { errcode });
    };
  };
  return { queries: new Kysely({ dialect: new NodeSqliteDialect(database) }), failWith };
}
