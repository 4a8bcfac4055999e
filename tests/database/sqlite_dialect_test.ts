import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { Kysely, sql } from "kysely";
import { NodeSqliteDialect } from "../../database/sqlite_dialect.ts";

/** What SQLite says when another connection writes, and when one just recovers the log. */
const locks = { "SQLITE_BUSY": 5, "SQLITE_BUSY_RECOVERY": 261 };

for (const [name, errcode] of Object.entries(locks)) {
  Deno.test(`a statement that meets a lock is tried again: ${name}`, async () => {
    const { queries, failWith } = open();
    failWith(errcode);
    const { rows } = await sql<{ seven: number }>`select 7 as seven`.execute(queries);
    assert.deepEqual(rows.map(({ seven }) => seven), [7]);
    await queries.destroy();
  });
}

Deno.test("a statement that is wrong is not tried again", async () => {
  const { queries, failWith } = open();
  failWith(1);
  await assert.rejects(sql`select 7`.execute(queries), /locked or wrong/);
  await queries.destroy();
});

/** A database of which the next statement fails once, with a code. */
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
