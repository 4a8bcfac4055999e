import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Kysely, PostgresDialect, sql, type Transaction } from "kysely";
import pg from "pg";
import { migrate } from "./migrations.ts";
import type { Tables } from "./schema.ts";
import { NodeSqliteDialect } from "./sqlite_dialect.ts";

/** The databases that an installation can keep its data in. */
export type Engine = "sqlite" | "postgres";

/** Any number, as long as nothing else that uses the same Postgres database takes it. */
const advisoryLock = 7_655_251;

/** The open database of an installation. */
export class Database {
  readonly engine: Engine;
  readonly queries: Kysely<Tables>;

  constructor(engine: Engine, queries: Kysely<Tables>) {
    this.engine = engine;
    this.queries = queries;
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
  close(): Promise<void> {
    return this.queries.destroy();
  }
}

/** Where the data is kept. */
export interface DatabaseOptions {
  /** A `postgres://` address. Without it the database is a file in `dataFolder`. */
  databaseUrl?: string;
  dataFolder: string;
}

/**
 * Opens the Postgres database at `databaseUrl`, or else the file `rollcall.sqlite` in `dataFolder`,
 * which is made on first use and readable by its owner alone. Its tables are up to date from then on.
 *
 * @throws {Error} when it cannot be reached, or was written by a newer version.
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const database = await connect(options);
  try {
    await migrate(database);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function connect({ databaseUrl, dataFolder }: DatabaseOptions): Promise<Database> {
  if (databaseUrl) return new Database("postgres", openPostgres(databaseUrl));
  return new Database("sqlite", await openSqlite(dataFolder));
}

async function openSqlite(dataFolder: string): Promise<Kysely<Tables>> {
  await Deno.mkdir(dataFolder, { recursive: true, mode: 0o700 });
  const path = join(dataFolder, "rollcall.sqlite");
  // SQLite itself would make the file readable by everyone.
  (await Deno.open(path, { write: true, create: true, mode: 0o600 })).close();
  const dialect = new NodeSqliteDialect(new DatabaseSync(path));
  const queries = new Kysely<Tables>({ dialect });
  await sql`pragma journal_mode = wal`.execute(queries);
  await sql`pragma foreign_keys = on`.execute(queries);
  return queries;
}

function openPostgres(databaseUrl: string): Kysely<Tables> {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    connectionTimeoutMillis: 10_000,
    types: { getTypeParser },
  });
  // An idle connection that breaks is replaced at the next query, which reports what is wrong.
  pool.on("error", () => {});
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}

/** Reads 64-bit integers, here counters and times in ms, as numbers instead of text. */
function getTypeParser(type: number, format?: "text" | "binary"): (value: string) => unknown {
  if (type === pg.types.builtins.INT8) return Number;
  return pg.types.getTypeParser(type, format);
}
