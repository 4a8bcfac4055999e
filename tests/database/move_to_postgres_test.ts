import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, it } from "@std/testing/bdd";
import { openDatabase } from "../../database/database.ts";
import { moveToPostgres } from "../../database/move_to_postgres.ts";
import { allRows, fillTables, type Row } from "../fixtures/filled_database.ts";
import { execute, type PostgresServer, startPostgres } from "../fixtures/postgres.ts";
import { ask } from "../fixtures/postgres_rows.ts";

const rowsEach = 500;

describe("moving from the embedded database to PostgreSQL", () => {
  let server: PostgresServer;
  let databaseUrl: string;
  let dataFolder: string;
  let path: string;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    databaseUrl = await server.createDatabase();
    dataFolder = await Deno.makeTempDir();
    path = join(dataFolder, "rollcall.sqlite");
    await (await openDatabase({ dataFolder })).close();
  });
  afterEach(() => Deno.remove(dataFolder, { recursive: true }));

  it("moves every row of every table, and leaves the source as it was", async () => {
    const layout = await server.createDatabase();
    await (await openDatabase({ dataFolder, databaseUrl: layout })).close();
    fillTables(path, rowsEach, await booleanColumns(layout));
    const before = allRows(path);
    const bytes = await digest(path);

    const { rows, tables, leftBehind } = await moveToPostgres(dataFolder, databaseUrl);
    assert.deepEqual({ rows, tables, leftBehind }, {
      rows: before.size * rowsEach,
      tables: before.size,
      leftBehind: [],
    });
    assert.equal(await digest(path), bytes);
    assert.deepEqual(await tablesIn(databaseUrl), [...before.keys()].sort());
    for (const [table, expected] of before) {
      assert.deepEqual(
        (await ask(databaseUrl, `select * from "${table}"`)).map(comparable).sort(),
        expected.map(comparable).sort(),
        table,
      );
    }
  });
});

/** A row as text, whichever engine it is from. */
function comparable(row: Row | Record<string, unknown>): string {
  return JSON.stringify(
    Object.keys(row).sort().map((name) => {
      const value = row[name];
      if (value instanceof Date) return value.toISOString();
      if (typeof value === "boolean") return String(Number(value));
      return value === null ? null : String(value);
    }),
  );
}

async function booleanColumns(databaseUrl: string): Promise<Set<string>> {
  const columns = await ask(
    databaseUrl,
    `select table_name || '.' || column_name as name from information_schema.columns
     where data_type = 'boolean' and table_schema = 'public'`,
  );
  return new Set(columns.map(({ name }) => String(name)));
}

async function tablesIn(databaseUrl: string): Promise<string[]> {
  const rows = await ask(
    databaseUrl,
    "select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'migration'",
  );
  return rows.map(({ name }) => String(name)).sort();
}

async function digest(path: string): Promise<string> {
  return createHash("sha256").update(await Deno.readFile(path)).digest("hex");
}
