import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Kysely, PostgresDialect, sql, type Transaction } from "kysely";
import pg from "pg";
import { copyBeforeMigration } from "./copy_before_upgrade.ts";
import { giveToOwner } from "./durable_file.ts";
import { upgrade } from "./migrations.ts";
import type { Tables } from "./schema.ts";
import { type LockWait, ServerLock } from "./server_lock.ts";
import { NodeSqliteDialect } from "./sqlite_dialect.ts";
import { createPrivately, sqlitePath } from "./sqlite_file.ts";

/** The database engines that an installation can use. */
export type Engine = "sqlite" | "postgres";

/** An arbitrary number that no other program in the same PostgreSQL database uses. */
const advisoryLock = 7_655_251;

/** The open database of an installation. */
export class Database {
  readonly engine: Engine;
  readonly queries: Kysely<Tables>;
  readonly #lock: Disposable | undefined;

  /** @param lock released when the database is closed. */
  constructor(engine: Engine, queries: Kysely<Tables>, lock?: Disposable) {
    this.engine = engine;
    this.queries = queries;
    this.#lock = lock;
  }

  /**
   * Runs `work` in a transaction. No other call runs on this database at the same time, in any process.
   * Rolls back when `work` throws.
   */
  exclusively<Value>(work: (transaction: Transaction<Tables>) => Promise<Value>): Promise<Value> {
    return this.queries.transaction().execute(async (transaction) => {
      // In SQLite, every transaction has the only write lock from its start.
      if (this.engine === "postgres") {
        await sql`select pg_advisory_xact_lock(${sql.lit(advisoryLock)})`.execute(transaction);
      }
      return await work(transaction);
    });
  }

  /** Closes the file or the connections, and releases the lock. */
  async close(): Promise<void> {
    await this.queries.destroy();
    this.#lock?.[Symbol.dispose]();
  }
}

/** Which database to open. */
export interface DatabaseOptions {
  /** A `postgres://` address; absent: the file in `dataFolder`. */
  databaseUrl?: string;
  dataFolder: string;
  /** Set by a server: take the lock that lets one server use the embedded database, and how to wait. */
  server?: LockWait;
}

/**
 * Opens the PostgreSQL database at `databaseUrl`, or else the file `rollcall.sqlite` in `dataFolder`,
 * which is created on first use and readable only by its owner. Upgrades the tables; a file is copied
 * before.
 *
 * @throws {DatabaseError} when a newer version wrote it, or another server uses it.
 * @throws {Error} when it is unreachable.
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const database = await connect(options);
  // Prevents an upgrade while an older server still has the file open.
  using locks = new DisposableStack();
  try {
    await upgrade(database, {
      before: async (migration) => {
        if (database.engine === "postgres") return;
        if (!options.server) locks.use(await ServerLock.take(options.dataFolder));
        await copyBeforeMigration(migration, options.dataFolder);
      },
    });
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function connect({ databaseUrl, dataFolder, server }: DatabaseOptions): Promise<Database> {
  if (databaseUrl) return openPostgres(databaseUrl);
  await Deno.mkdir(dataFolder, { recursive: true, mode: 0o700 });
  const lock = server && await ServerLock.take(dataFolder, server);
  try {
    return new Database("sqlite", await openSqlite(sqlitePath(dataFolder)), lock);
  } catch (error) {
    lock?.[Symbol.dispose]();
    throw error;
  }
}

async function openSqlite(path: string): Promise<Kysely<Tables>> {
  if (await createPrivately(path)) await giveToOwner(path, dirname(path));
  const { ino } = await Deno.stat(path);
  const dialect = new NodeSqliteDialect(new DatabaseSync(path));
  const queries = new Kysely<Tables>({ dialect });
  const isReplaced = async () => (await Deno.stat(path)).ino !== ino;
  try {
    await sql`pragma journal_mode = wal`.execute(queries);
    await sql`pragma foreign_keys = on`.execute(queries);
    // From here on the file cannot be replaced, but a restore may have done so before.
    if (!await isReplaced()) return queries;
  } catch (error) {
    if (!await isReplaced()) {
      await queries.destroy();
      throw error;
    }
  }
  await queries.destroy();
  return await openSqlite(path);
}

/** Opens a PostgreSQL database without an upgrade. Connects at the first query. */
export function openPostgres(databaseUrl: string): Database {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    connectionTimeoutMillis: 10_000,
    types: { getTypeParser },
  });
  // The pool replaces a broken idle connection at the next query, which reports its own errors.
  pool.on("error", () => {});
  return new Database("postgres", new Kysely({ dialect: new PostgresDialect({ pool }) }));
}

/** Reads 64-bit integers as numbers instead of text; here they are counts and times in ms. */
function getTypeParser(type: number, format?: "text" | "binary"): (value: string) => unknown {
  if (type === pg.types.builtins.INT8) return Number;
  return pg.types.getTypeParser(type, format);
}
