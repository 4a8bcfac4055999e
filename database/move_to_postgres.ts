import type { DatabaseSync } from "node:sqlite";
import { Kysely, sql, type Transaction } from "kysely";
import { z } from "zod";
import { openPostgres } from "./database.ts";
import { DatabaseError } from "./database_error.ts";
import { applyMigrations } from "./migrations.ts";
import type { Tables } from "./schema.ts";
import { ServerLock } from "./server_lock.ts";
import { NodeSqliteDialect } from "./sqlite_dialect.ts";
import { isFile, openAlone, sqlitePath } from "./sqlite_file.ts";
import { TableCopy } from "./table_copy.ts";
import { inOrderOfReferences, readTables, type Table } from "./table_layout.ts";
import { verify } from "./verification.ts";

/** What is moved, and where to. */
export interface MoveOptions {
  /** Where the embedded database is. */
  dataFolder: string;
  /** The `postgres://` address of an empty database. */
  databaseUrl: string;
  /** What else is done in the transaction, at its end. */
  alongside(transaction: Transaction<Tables>): Promise<void>;
}

/** What was moved. */
export interface Move {
  rows: number;
  tables: number;
  /** Tables of the embedded database that no migration made, and that were left there. */
  leftBehind: string[];
}

const namesSchema = z.array(z.object({ name: z.string() }));

/** The table of migrations is made and filled by them. */
const ownTable = "migration";

/**
 * Copies all rows of the embedded database into an empty Postgres database, in one transaction, and
 * compares them row by row before it ends. The embedded database stays as it is.
 *
 * @throws {DatabaseError} when either is in use, the one is damaged, the other not empty, or a value
 * cannot be moved; there is nothing in Postgres then that was not there before.
 * @throws {Error} when Postgres cannot be reached.
 */
export async function moveToPostgres(options: MoveOptions): Promise<Move> {
  const { dataFolder, databaseUrl, alongside } = options;
  const path = sqlitePath(dataFolder);
  if (!await isFile(path)) throw new DatabaseError(`There is no database ${path}`);
  using _lock = await ServerLock.take(dataFolder);
  const source = await openAlone(path);
  try {
    verify(source, path);
    // Where the source is older, it is upgraded and read in a transaction that is never committed.
    source.exec("begin");
    await applyMigrations(new Kysely({ dialect: new NodeSqliteDialect(source) }), "sqlite");
    const target = openPostgres(databaseUrl);
    try {
      return await target.exclusively(async (transaction) => {
        const moved = await move(source, transaction);
        await alongside(transaction);
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

/** Refuses a database that belongs to another program. */
async function refuseOthers(target: Transaction<Tables>): Promise<void> {
  const names = (await readTables(target)).map(({ name }) => name);
  if (names.length === 0 || names.includes(ownTable)) return;
  throw notEmpty(names[0]);
}

/** Keeps others from writing into the tables until the end, and refuses those that have rows. */
async function claim(target: Transaction<Tables>, tables: Table[]): Promise<void> {
  for (const { name } of tables) {
    await sql`lock table ${sql.table(name)} in exclusive mode`.execute(target);
    const { rows } = await sql`select 1 from ${sql.table(name)} limit 1`.execute(target);
    if (rows.length > 0) throw notEmpty(name);
  }
}

function notEmpty(table: string): DatabaseError {
  return new DatabaseError(
    `The database of DATABASE_URL is not empty: it has a table "${table}"; name an empty one`,
  );
}
