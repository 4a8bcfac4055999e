import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe } from "@std/testing/bdd";
import { type Accounts, type AccountsOptions, openAccounts } from "../../accounts/accounts.ts";
import { type Database, type DatabaseOptions, openDatabase } from "../../database/database.ts";
import { type PostgresServer, startPostgres } from "../fixtures/postgres.ts";

/** Where the accounts of one test are kept: empty at its start. */
export interface Store {
  readonly engine: "sqlite" | "postgres";
  readonly dataFolder: string;
  /** Opens the accounts, as another process would; closed at the end of the test at the latest. */
  open(options?: Partial<DatabaseOptions & AccountsOptions>): Promise<Accounts>;
  /** Closes all that is open. */
  close(): Promise<void>;
  /** Asks the database itself. */
  query(statement: string): Promise<Record<string, unknown>[]>;
}

/** Registers the same tests for each engine that accounts can be kept in. */
export function describeOnEachEngine(name: string, body: (store: Store) => void): void {
  for (const engine of ["sqlite", "postgres"] as const) {
    describe(`${name} (${engine})`, () => {
      let server: PostgresServer | undefined;
      let databaseUrl: string | undefined;
      let dataFolder = "";
      const opened: Database[] = [];

      beforeAll(async () => {
        if (engine === "postgres") server = await startPostgres();
      });
      afterAll(async () => {
        await server?.stop();
      });
      beforeEach(async () => {
        dataFolder = await Deno.makeTempDir();
        databaseUrl = await server?.createDatabase();
      });
      afterEach(async () => {
        await close();
        await Deno.remove(dataFolder, { recursive: true });
      });

      async function close() {
        for (const database of opened.splice(0)) await database.close();
      }

      body({
        close,
        engine,
        get dataFolder() {
          return dataFolder;
        },
        async open(options) {
          const database = await openDatabase({ databaseUrl, dataFolder, ...options });
          opened.push(database);
          return await openAccounts({
            database,
            secret: "b8Yw3kq0Zr7Tn2Xe5Jm9Lc4Hs6Vd1Gf3",
            appUrl: new URL("http://localhost:8000"),
            secureCookies: false,
            ...options,
          });
        },
        query: (statement) =>
          databaseUrl === undefined
            ? Promise.resolve(querySqlite(dataFolder, statement))
            : queryPostgres(databaseUrl, statement),
      });
    });
  }
}

function querySqlite(dataFolder: string, statement: string): Record<string, unknown>[] {
  const database = new DatabaseSync(join(dataFolder, "rollcall.sqlite"));
  try {
    return database.prepare(statement).all();
  } finally {
    database.close();
  }
}

async function queryPostgres(address: string, statement: string) {
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  try {
    return (await client.query(statement)).rows as Record<string, unknown>[];
  } finally {
    await client.end();
  }
}

/** The password of everyone whom the tests add. */
export const password = "correct horse battery";

/** Adds a user, admin unless said otherwise, with the e-mail `NAME@example.org`. */
export async function addUser(accounts: Accounts, name: string, role: "admin" | "user" = "admin") {
  const result = await accounts.add({ name, email: `${name}@example.org`, password, role });
  assert(result.ok, JSON.stringify(result));
  return result.value;
}

/** Signs in with that password; answers the headers of the browser's next request. */
export async function signIn(accounts: Accounts, name: string, peer = "192.0.2.1") {
  const result = await accounts.signIn({ email: `${name}@example.org`, password }, peer);
  assert(result.ok, JSON.stringify(result));
  return requestWith(result.cookies);
}

/** The headers of a request by a browser that was given these cookies. */
export function requestWith(setCookies: string[]): Headers {
  return new Headers({ cookie: setCookies.map((cookie) => cookie.split(";")[0]).join("; ") });
}

/** The reason of a refusal; fails when there was none. */
export function reasonOf(result: { ok: true } | { ok: false; reason: string }): string {
  assert(!result.ok, "it was not refused");
  return result.reason;
}
