/**
 * The database of an installation: SQLite in a file, or PostgreSQL, with the same tables and queries.
 *
 * Kysely writes the queries; `schema.ts` has the tables and `migrations.ts` the steps to them, which run at
 * the start, each once, all or nothing. `sqlite_dialect.ts` runs Deno's own SQLite, `postgres.ts` the other;
 * `watched_dialect.ts` wraps both, and knows from each statement whether the database works
 * (`unavailable.ts`). `write_queue.ts` is for what must not wait for it, `stored_setting.ts` for single JSON
 * values. `database_backup.ts`, `database_restore.ts` and `move_to_postgres.ts` copy the data.
 *
 * The promises: `exclusively` runs one piece of work at a time, over all processes, and rolls it back when it
 * throws. One server uses a database, or several with Redis, and a lock keeps all others out
 * (`server_lock.ts`, `postgres_server_lock.ts`). An older version never opens what a newer one wrote, and a
 * file is copied before it is upgraded. Only its owner can read the file.
 *
 * The trade-off: SQLite works in the event loop, so statements have to be short and large work comes in
 * batches; an installation that needs more takes PostgreSQL. Exclusive work waits for other such work on any
 * table: writes are few, as who is online is not in the database, and one lock is easy to reason about.
 *
 * With several servers, what only the leader may store goes through `leader_term.ts`.
 *
 * @module
 */
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Kysely, sql, type Transaction } from "kysely";
import { copyBeforeMigration } from "./database_backup.ts";
import { giveToOwner } from "./durable_file.ts";
import { upgrade } from "./migrations.ts";
import { Outages } from "./unavailable.ts";
import { postgresDialect } from "./postgres.ts";
import { PostgresServerLock } from "./postgres_server_lock.ts";
import type { Tables } from "./schema.ts";
import { type LockWait, ServerLock } from "./server_lock.ts";
import { createPrivately, isFile, NodeSqliteDialect, sqlitePath } from "./sqlite_dialect.ts";
import { WatchedDialect } from "./watched_dialect.ts";

/** The database engines that an installation can use. */
export type Engine = "sqlite" | "postgres";

/** An arbitrary number that no other program in the same PostgreSQL database uses. */
const advisoryLock = 7_655_251;

/** How long a statement of a server may take in PostgreSQL, in ms. */
const statementTimeoutMs = 10_000;

/** How long a transaction that keeps others waiting may do nothing, in ms. */
const idleTransactionMs = 30_000;

/** What a {@link Database} is made of. */
interface Parts {
  engine: Engine;
  queries: Kysely<Tables>;
  outages: Outages;
  /** Released when the database is closed. */
  lock?: { close(): Promise<void> };
}

/** The open database of an installation. */
export class Database {
  readonly engine: Engine;
  readonly queries: Kysely<Tables>;
  /** Whether it works now. */
  readonly outages: Outages;
  readonly #lock: Parts["lock"];

  constructor({ engine, queries, outages, lock }: Parts) {
    this.engine = engine;
    this.queries = queries;
    this.outages = outages;
    this.#lock = lock;
  }

  /**
   * Runs `work` in a transaction. No other call runs on this database at the same time, in any process.
   * Rolls back when `work` throws.
   *
   * @param idleMs how long `work` may take between two statements, in milliseconds: a process that is
   * frozen then must not keep all others waiting. Not in SQLite, which one process uses.
   */
  exclusively<Value>(
    work: (transaction: Transaction<Tables>) => Promise<Value>,
    idleMs = idleTransactionMs,
  ): Promise<Value> {
    return this.queries.transaction().execute(async (transaction) => {
      // In SQLite, every transaction has the only write lock from its start.
      if (this.engine === "postgres") {
        const limit = sql`set_config('idle_in_transaction_session_timeout', ${
          String(idleMs)
        }, true)`;
        await sql`select ${limit}, pg_advisory_xact_lock(${sql.lit(advisoryLock)})`
          .execute(transaction);
      }
      return await work(transaction);
    });
  }

  /**
   * Removes what was deleted from the embedded database's files as well: a page can have an old copy of a row that
   * moved, and the write-ahead log has pages as they were. PostgreSQL does it by its own vacuum.
   *
   * @param mostBytes of a larger file only the write-ahead log is emptied: writing the file again blocks the
   * process, at about 80 MB a second.
   * @returns whether nothing is left in the files.
   */
  async scrub(mostBytes = 64_000_000): Promise<boolean> {
    const { engine, queries } = this;
    if (engine === "postgres") return true;
    const { rows: [{ bytes }] } = await sql<{ bytes: number }>`
      select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`
      .execute(queries);
    const isSmall = bytes <= mostBytes;
    if (isSmall) {
      // Where temporary files can be written is not known.
      await sql`pragma temp_store = memory`.execute(queries);
      await sql`vacuum`.execute(queries);
    }
    const { rows: [{ busy }] } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`
      .execute(queries);
    return isSmall && busy === 0;
  }

  /** Closes the file or the connections, and releases the lock. */
  async close(): Promise<void> {
    await this.queries.destroy();
    await this.#lock?.close();
  }
}

/** Which database to open. */
export interface DatabaseOptions {
  /** A `postgres://` address; absent: the file in `dataFolder`. */
  databaseUrl?: string;
  dataFolder: string;
  /** Set by a server: take the lock that lets one server use the database, and how to wait. */
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
  const statements = { timeoutMs: 0 };
  const database = await connect(options, statements);
  // Prevents an upgrade while an older server still uses the database.
  await using locks = new AsyncDisposableStack();
  try {
    await upgrade(database, async (migration) => {
      if (!options.server) locks.adopt(await takeLock(options), (lock) => lock.close());
      if (database.engine === "sqlite") await copyBeforeMigration(migration, options.dataFolder);
    });
    // From here on, a statement that takes long is a fault; an upgrade may take its time.
    if (options.server) statements.timeoutMs = statementTimeoutMs;
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Whether a server has used the database before. Creates and changes nothing. */
export async function isInstalled({ databaseUrl, dataFolder }: DatabaseOptions): Promise<boolean> {
  if (databaseUrl === undefined) return await isFile(sqlitePath(dataFolder));
  const database = openPostgres(databaseUrl);
  try {
    const tables = await database.queries.introspection.getTables();
    return tables.some(({ name }) => name === "migration");
  } finally {
    await database.close();
  }
}

function takeLock(
  { databaseUrl, dataFolder, server }: DatabaseOptions,
): Promise<ServerLock | PostgresServerLock> {
  return databaseUrl
    ? PostgresServerLock.take(databaseUrl, server)
    : ServerLock.take(dataFolder, server);
}

async function connect(options: DatabaseOptions, statements: Statements): Promise<Database> {
  const { databaseUrl, dataFolder, server } = options;
  if (databaseUrl) {
    const lock = server && await PostgresServerLock.take(databaseUrl, server);
    return openPostgres(databaseUrl, lock, statements);
  }
  await Deno.mkdir(dataFolder, { recursive: true, mode: 0o700 });
  const lock = server && await ServerLock.take(dataFolder, server);
  const outages = new Outages();
  try {
    const queries = await openSqlite(sqlitePath(dataFolder), outages);
    return new Database({ engine: "sqlite", queries, outages, lock });
  } catch (error) {
    await lock?.close();
    throw error;
  }
}

async function openSqlite(path: string, outages: Outages): Promise<Kysely<Tables>> {
  if (await createPrivately(path)) await giveToOwner(path, dirname(path));
  const { ino } = await Deno.stat(path);
  const dialect = new NodeSqliteDialect(new DatabaseSync(path));
  const queries = new Kysely<Tables>({ dialect: new WatchedDialect(dialect, outages) });
  const isReplaced = async () => (await Deno.stat(path)).ino !== ino;
  try {
    await sql`pragma journal_mode = wal`.execute(queries);
    await sql`pragma foreign_keys = on`.execute(queries);
    // What is deleted is overwritten in its page.
    await sql`pragma secure_delete = on`.execute(queries);
    // From here on the file cannot be replaced, but a restore may have done so before.
    if (!await isReplaced()) return queries;
  } catch (error) {
    if (!await isReplaced()) {
      await queries.destroy();
      throw error;
    }
  }
  await queries.destroy();
  return await openSqlite(path, outages);
}

/** The limit of statements, which may change. */
interface Statements {
  /** 0: none. */
  timeoutMs: number;
}

/** Opens a PostgreSQL database without an upgrade. Connects at the first query. */
export function openPostgres(
  databaseUrl: string,
  lock?: PostgresServerLock,
  statements: Statements = { timeoutMs: 0 },
): Database {
  const outages = new Outages();
  const queryTimeoutMs = () => statements.timeoutMs;
  const dialect = postgresDialect(databaseUrl, queryTimeoutMs, lock);
  const queries = new Kysely<Tables>({ dialect: new WatchedDialect(dialect, outages) });
  return new Database({ engine: "postgres", queries, outages, lock });
}
