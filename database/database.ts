import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Kysely, PostgresDialect, sql, type Transaction } from "kysely";
import pg from "pg";
import { keepCopyBefore } from "./copy_before_upgrade.ts";
import { giveToOwner } from "./durable_file.ts";
import { upgrade } from "./migrations.ts";
import type { Tables } from "./schema.ts";
import { type LockPatience, ServerLock } from "./server_lock.ts";
import { NodeSqliteDialect } from "./sqlite_dialect.ts";
import { createPrivately, sqlitePath } from "./sqlite_file.ts";

/** The databases that an installation can keep its data in. */
export type Engine = "sqlite" | "postgres";

/** Any number, as long as nothing else that uses the same Postgres database takes it. */
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
   * Runs `work` in a transaction while no other `exclusively` runs on this database, in this process
   * or another. All of it is kept, or nothing when `work` throws.
   */
  exclusively<Value>(work: (transaction: Transaction<Tables>) => Promise<Value>): Promise<Value> {
    return this.queries.transaction().execute(async (transaction) => {
      // On SQLite every transaction holds the only write lock from its start.
      if (this.engine === "postgres") {
        await sql`select pg_advisory_xact_lock(${sql.lit(advisoryLock)})`.execute(transaction);
      }
      return await work(transaction);
    });
  }

  /** Releases the file or the connections. */
  async close(): Promise<void> {
    await this.queries.destroy();
    this.#lock?.[Symbol.dispose]();
  }
}

/** Where the data is kept. */
export interface DatabaseOptions {
  /** A `postgres://` address. Without it the database is a file in `dataFolder`. */
  databaseUrl?: string;
  dataFolder: string;
  /** Given: be the only server on the embedded database, waiting for another one as it says. */
  server?: LockPatience;
}

/**
 * Opens the Postgres database at `databaseUrl`, or else the file `rollcall.sqlite` in `dataFolder`,
 * which is made on first use and readable by its owner alone. Its tables are up to date from then on;
 * of a file that had to be upgraded a copy is kept.
 *
 * @throws {DatabaseError} when it was written by a newer version, or belongs to another server.
 * @throws {Error} when it cannot be reached.
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const database = await connect(options);
  // What an older server that still runs has open is not changed beneath it.
  using locks = new DisposableStack();
  try {
    await upgrade(database, {
      before: async (migration) => {
        if (database.engine === "postgres") return;
        if (!options.server) locks.use(await ServerLock.take(options.dataFolder));
        await keepCopyBefore(migration, options.dataFolder);
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
    // From here on nobody can replace the file, but a restore may have done so meanwhile.
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

/** Opens a Postgres database as it is. It is not known yet whether it can be reached. */
export function openPostgres(databaseUrl: string): Database {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    connectionTimeoutMillis: 10_000,
    types: { getTypeParser },
  });
  // An idle connection that breaks is replaced at the next query, which reports what is wrong.
  pool.on("error", () => {});
  return new Database("postgres", new Kysely({ dialect: new PostgresDialect({ pool }) }));
}

/** Reads 64-bit integers, here counters and times in ms, as numbers instead of text. */
function getTypeParser(type: number, format?: "text" | "binary"): (value: string) => unknown {
  if (type === pg.types.builtins.INT8) return Number;
  return pg.types.getTypeParser(type, format);
}
