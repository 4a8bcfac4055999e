import { type Dialect, PostgresDialect, type PostgresPoolClient } from "kysely";
import pg from "pg";
import type { PostgresServerLock } from "./postgres_server_lock.ts";
import { asUnavailable, DatabaseUnavailable } from "./unavailable.ts";

/**
 * Connections of one server. With the one that holds the lock, 16 servers fit into the 97 that PostgreSQL's default
 * of `max_connections` leaves.
 */
const maxConnections = 5;

/** How long to wait for a connection, in ms. */
const connectTimeoutMs = 10_000;

/**
 * Kysely's dialect for a PostgreSQL database. Connects at the first query.
 *
 * @param queryTimeoutMs how long a statement may take, in ms; 0 is no limit. Called for each.
 * @param lock the lock without which nothing is read and written; a command of the console has none.
 */
export function postgresDialect(
  databaseUrl: string,
  queryTimeoutMs: () => number,
  lock?: PostgresServerLock,
): Dialect {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: maxConnections,
    connectionTimeoutMillis: connectTimeoutMs,
    types: { getTypeParser },
  });
  // The pool replaces a broken idle connection at the next query, which reports its own errors.
  pool.on("error", () => {});
  // A client in use has no listener of the pool. Without one, a connection that is lost between two
  // statements of a transaction would end the process; the next statement fails.
  pool.on("connect", (client: pg.PoolClient) => client.on("error", () => {}));
  return new PostgresDialect({
    pool: {
      options: pool.options,
      async connect() {
        await lock?.ensure();
        return limited(await pool.connect(), queryTimeoutMs);
      },
      end: () => pool.end(),
    },
  });
}

/** A client that gives up a statement after a time, and a connection that failed. */
function limited(client: pg.PoolClient, queryTimeoutMs: () => number): PostgresPoolClient {
  let isBroken = false;
  return {
    async query(text: unknown, values?: readonly unknown[]) {
      try {
        const query_timeout = queryTimeoutMs();
        return await client.query({ text: String(text), values: [...values ?? []], query_timeout });
      } catch (error) {
        const unavailable = asUnavailable(error);
        isBroken ||= unavailable instanceof DatabaseUnavailable && !unavailable.isReadable;
        throw error;
      }
    },
    release: (isDiscarded) => client.release(isDiscarded || isBroken),
  } as PostgresPoolClient;
}

/** Reads 64-bit integers as numbers instead of text; here they are counts and times in ms. */
function getTypeParser(type: number, format?: "text" | "binary"): (value: string) => unknown {
  if (type === pg.types.builtins.INT8) return Number;
  return pg.types.getTypeParser(type, format);
}
