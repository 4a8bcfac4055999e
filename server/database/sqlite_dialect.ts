import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import {
  CompiledQuery,
  type DatabaseConnection,
  type DatabaseIntrospector,
  type Dialect,
  type DialectAdapter,
  type Driver,
  type Kysely,
  type QueryCompiler,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import { join } from "node:path";
import { DatabaseError, DatabaseInUse } from "./unavailable.ts";

/**
 * SQLite's result code for a file that another connection has locked. It is the low byte of several
 * extended codes, such as the one for a write-ahead log in recovery.
 */
const sqliteBusy = 5;

/** How long a statement is retried while another process writes. */
const busyTimeoutMs = 10_000;

/**
 * Kysely's dialect for the SQLite that is built into the runtime.
 *
 * Dates are stored as ISO 8601 text and booleans as 0 and 1. Every transaction takes the write lock
 * at its start, so that its reads stay valid until it writes. A statement that is blocked by another
 * connection is retried for ten seconds without blocking the event loop.
 */
export class NodeSqliteDialect implements Dialect {
  #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  createDriver(): Driver {
    return new NodeSqliteDriver(this.#database);
  }

  createQueryCompiler(): QueryCompiler {
    return new SqliteQueryCompiler();
  }

  createAdapter(): DialectAdapter {
    return new SqliteAdapter();
  }

  createIntrospector(database: Kysely<unknown>): DatabaseIntrospector {
    return new SqliteIntrospector(database);
  }
}

class NodeSqliteDriver implements Driver {
  #database: DatabaseSync;
  #connection: NodeSqliteConnection;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#connection = new NodeSqliteConnection(database);
  }

  async init(): Promise<void> {}

  acquireConnection(): Promise<DatabaseConnection> {
    return Promise.resolve(this.#connection);
  }

  async beginTransaction(): Promise<void> {
    await this.#connection.executeQuery(CompiledQuery.raw("begin immediate"));
  }

  async commitTransaction(): Promise<void> {
    await this.#connection.executeQuery(CompiledQuery.raw("commit"));
  }

  async rollbackTransaction(): Promise<void> {
    // SQLite itself rolls back when the disk is full.
    if (!this.#database.isTransaction) return;
    await this.#connection.executeQuery(CompiledQuery.raw("rollback"));
  }

  async releaseConnection(): Promise<void> {}

  destroy(): Promise<void> {
    this.#database.close();
    return Promise.resolve();
  }
}

class NodeSqliteConnection implements DatabaseConnection {
  #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const parameters = query.parameters.map(bindable);
    const giveUpAt = Date.now() + busyTimeoutMs;
    while (true) {
      try {
        return this.#execute<Row>(query.sql, parameters);
      } catch (error) {
        if (!isBusy(error) || Date.now() > giveUpAt) throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, 5 + Math.random() * 20));
    }
  }

  #execute<Row>(sql: string, parameters: SQLInputValue[]): QueryResult<Row> {
    const statement = this.#database.prepare(sql);
    if (statement.columns().length > 0) return { rows: statement.all(...parameters) as Row[] };
    const { changes, lastInsertRowid } = statement.run(...parameters);
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  }

  streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error("Streaming is not supported");
  }
}

function bindable(value: unknown): SQLInputValue {
  if (typeof value === "boolean") return value ? 1 : 0;
  if (value instanceof Date) return value.toISOString();
  return value as SQLInputValue;
}

function isBusy(error: unknown): boolean {
  const code = error instanceof Error && "errcode" in error ? error.errcode : undefined;
  return typeof code === "number" && (code & 0xff) === sqliteBusy;
}

/** Suffixes of the files that SQLite creates beside an open database; they stay after a kill. */
export const companionSuffixes = ["-wal", "-shm", "-journal"];

/** The file of the embedded database. */
export function sqlitePath(dataFolder: string): string {
  return join(dataFolder, "rollcall.sqlite");
}

/**
 * Creates an empty file that only its owner can read, unless the file exists; SQLite itself would make it
 * readable for all users. Does not open an existing file, because closing it would release SQLite's
 * locks on it in this process.
 *
 * @returns whether the file was created.
 */
export async function createPrivately(path: string): Promise<boolean> {
  try {
    (await Deno.open(path, { write: true, createNew: true, mode: 0o600 })).close();
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.AlreadyExists) return false;
    throw error;
  }
}

/**
 * Opens an existing file, which other processes may use at the same time.
 *
 * @throws {DatabaseError} when it does not exist or cannot be opened.
 */
export async function openExisting(path: string, readOnly = false): Promise<DatabaseSync> {
  if (!await isFile(path)) throw new DatabaseError(`There is no database ${path}`);
  try {
    return new DatabaseSync(path, { readOnly, timeout: busyTimeoutMs });
  } catch (error) {
    throw new DatabaseError(`${path} cannot be opened: ${faultOf(error)}`);
  }
}

/**
 * Opens an existing file exclusively, until it is closed or the process ends. Other connections that open
 * it meanwhile wait at their first statement.
 *
 * @throws {DatabaseInUse} when another connection has it open, in any process.
 * @throws {DatabaseError} when it does not exist or is not a database.
 */
export async function openAlone(path: string): Promise<DatabaseSync> {
  const database = await openExisting(path);
  try {
    database.exec("pragma busy_timeout = 0");
    database.exec("pragma locking_mode = exclusive");
    // In WAL mode, each open connection that has read the file has a shared lock on it.
    database.exec("begin exclusive");
    database.exec("commit");
    return database;
  } catch (error) {
    database.close();
    if (isLocked(error)) throw new DatabaseInUse(`${path} is in use; stop the server first`);
    throw new DatabaseError(`${path} cannot be used: ${faultOf(error)}`);
  }
}

/** The message of an error of SQLite or the system, without the failed call. */
export function faultOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/ \(os error.*/s, "");
}

function isLocked(error: unknown): boolean {
  return /database is locked/.test(faultOf(error));
}

/** Whether a file of this name exists. */
export async function isFile(path: string): Promise<boolean> {
  try {
    return (await Deno.stat(path)).isFile;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
