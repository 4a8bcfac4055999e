import type { DatabaseSync } from "node:sqlite";
import { Kysely, sql, type Transaction } from "kysely";
import { z } from "zod";
import { openPostgres } from "./database.ts";
import { DatabaseError } from "./unavailable.ts";
import { applyMigrations } from "./migrations.ts";
import type { Tables } from "./schema.ts";
import { ServerLock } from "./server_lock.ts";
import { isFile, NodeSqliteDialect, openAlone, sqlitePath } from "./sqlite_dialect.ts";
import { TableCopy } from "./table_copy.ts";
import { inOrderOfReferences, readTables, type Table, verify } from "./table_layout.ts";

/** The result of a move. */
export interface Move {
  rows: number;
  tables: number;
  /** Tables of the embedded database that are not Rollcall's and were not copied. */
  leftBehind: string[];
}

const namesSchema = z.array(z.object({ name: z.string() }));

/** Not copied: the migrations fill it. */
const ownTable = "migration";

/**
 * Copies all rows of the embedded database into an empty PostgreSQL database, in one transaction, and
 * compares them row by row before the commit. Does not change the embedded database.
 *
 * @param dataFolder the folder of the embedded database.
 * @param databaseUrl the `postgres://` address of an empty database.
 * @param inTransaction called at the end of the transaction.
 * @throws {DatabaseError} when the embedded database is in use or damaged, PostgreSQL is not empty, or a
 * value cannot be stored there. PostgreSQL is then unchanged.
 * @throws {Error} when PostgreSQL is unreachable.
 */
export async function moveToPostgres(
  dataFolder: string,
  databaseUrl: string,
  inTransaction: (transaction: Transaction<Tables>) => Promise<void>,
): Promise<Move> {
  const path = sqlitePath(dataFolder);
  if (!await isFile(path)) throw new DatabaseError(`There is no database ${path}`);
  using _lock = await ServerLock.take(dataFolder);
  const source = await openAlone(path);
  try {
    verify(source, path);
    // An older source is upgraded in a transaction that is never committed.
    source.exec("begin");
    await applyMigrations(new Kysely({ dialect: new NodeSqliteDialect(source) }), "sqlite");
    const target = openPostgres(databaseUrl);
    try {
      return await target.exclusively(async (transaction) => {
        const moved = await move(source, transaction);
        await inTransaction(transaction);
        return moved;
      });
    } finally {
      await target.close();
    }
  } finally {
    source.close();
  }
}

async function move(source: DatabaseSync, target: Transaction<Tables>): Promise<Move> {
  await refuseOthers(target);
  await applyMigrations(target, "postgres");
  const names = namesSchema.parse(
    source.prepare(
      "select name from sqlite_master where type = 'table' and name not like 'sqlite\\_%' escape '\\'",
    ).all(),
  ).map(({ name }) => name).filter((name) => name !== ownTable);
  const tables = (await readTables(target)).filter(({ name }) => names.includes(name));
  await claim(target, tables);
  const copies = inOrderOfReferences(tables).map((table) => new TableCopy(source, target, table));
  for (const copy of copies) await copy.copy();
  let rows = 0;
  for (const copy of copies) rows += await copy.compare();
  const leftBehind = names.filter((name) => !tables.some((table) => table.name === name));
  return { rows, tables: tables.length, leftBehind };
}

/** Refuses the database of another program. */
async function refuseOthers(target: Transaction<Tables>): Promise<void> {
  const names = (await readTables(target)).map(({ name }) => name);
  if (names.length === 0 || names.includes(ownTable)) return;
  throw notEmpty(names[0]);
}

/** Locks the tables against other writers until the commit, and refuses tables with rows. */
async function claim(target: Transaction<Tables>, tables: Table[]): Promise<void> {
  for (const { name } of tables) {
    await sql`lock table ${sql.table(name)} in exclusive mode`.execute(target);
    const { rows } = await sql`select 1 from ${sql.table(name)} limit 1`.execute(target);
    if (rows.length > 0) throw notEmpty(name);
  }
}

function notEmpty(table: string): DatabaseError {
  return new DatabaseError(
    `The database of DATABASE_URL is not empty: it has a table "${table}"; use an empty one`,
  );
}
