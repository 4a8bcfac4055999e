import { type DatabaseSync, type SQLInputValue } from "node:sqlite";
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
