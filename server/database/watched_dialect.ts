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
  type TransactionSettings,
} from "kysely";
import { asUnavailable, DatabaseUnavailable, type Outages } from "./unavailable.ts";

/**
 * A dialect whose outcomes are reported. Errors that are the database's own fault are thrown as
 * {@link DatabaseUnavailable}; a rollback that fails does not hide the error before it.
 */
export class WatchedDialect implements Dialect {
  readonly #inner: Dialect;
  readonly #outages: Outages;

  constructor(inner: Dialect, outages: Outages) {
    this.#inner = inner;
    this.#outages = outages;
  }

  createDriver(): Driver {
    return new WatchedDriver(this.#inner.createDriver(), this.#outages);
  }

  createQueryCompiler(): QueryCompiler {
    return this.#inner.createQueryCompiler();
  }

  createAdapter(): DialectAdapter {
    return this.#inner.createAdapter();
  }

  createIntrospector(database: Kysely<unknown>): DatabaseIntrospector {
    return this.#inner.createIntrospector(database);
  }
}

class WatchedDriver implements Driver {
  readonly #inner: Driver;
  readonly #outages: Outages;

  constructor(inner: Driver, outages: Outages) {
    this.#inner = inner;
    this.#outages = outages;
  }

  init(): Promise<void> {
    return this.#inner.init();
  }

  async acquireConnection(): Promise<WatchedConnection> {
    const inner = await watched(this.#outages, () => this.#inner.acquireConnection());
    return new WatchedConnection(inner, this.#outages);
  }

  async beginTransaction(connection: WatchedConnection, settings: TransactionSettings) {
    await watched(
      this.#outages,
      () => this.#inner.beginTransaction(connection.inner, settings),
    );
    connection.begin();
  }

  async commitTransaction(connection: WatchedConnection): Promise<void> {
    await watched(this.#outages, () => this.#inner.commitTransaction(connection.inner));
    connection.commit();
  }

  async rollbackTransaction(connection: WatchedConnection): Promise<void> {
    connection.rollback();
    try {
      await this.#inner.rollbackTransaction(connection.inner);
    } catch {
      // The connection is gone, and its transaction with it.
    }
  }

  releaseConnection(connection: WatchedConnection): Promise<void> {
    return this.#inner.releaseConnection(connection.inner);
  }

  destroy(): Promise<void> {
    return this.#inner.destroy();
  }
}

class WatchedConnection implements DatabaseConnection {
  readonly inner: DatabaseConnection;
  readonly #outages: Outages;
  #isInTransaction = false;
  /** Whether the transaction has changed data, which counts when it is committed. */
  #hasWritten = false;

  constructor(inner: DatabaseConnection, outages: Outages) {
    this.inner = inner;
    this.#outages = outages;
  }

  begin(): void {
    this.#isInTransaction = true;
    this.#hasWritten = false;
  }

  commit(): void {
    this.#isInTransaction = false;
    this.#outages.succeeded(this.#hasWritten);
  }

  rollback(): void {
    this.#isInTransaction = false;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const result = await watched(this.#outages, () => this.inner.executeQuery<Row>(query));
    const hasWritten = (result.numAffectedRows ?? 0n) > 0n;
    this.#hasWritten ||= hasWritten;
    this.#outages.succeeded(hasWritten && !this.#isInTransaction);
    return result;
  }

  streamQuery<Row>(query: CompiledQuery, chunkSize: number) {
    return this.inner.streamQuery<Row>(query, chunkSize);
  }
}

async function watched<Value>(outages: Outages, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    const unavailable = asUnavailable(error);
    if (unavailable instanceof DatabaseUnavailable) outages.failed(unavailable);
    throw unavailable;
  }
}
