import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, afterEach, beforeAll, beforeEach, describe, it } from "@std/testing/bdd";
import { openDatabase } from "@/server/database/database.ts";
import { migrations } from "@/server/database/migrations.ts";
import { moveToPostgres } from "@/server/database/move_to_postgres.ts";
import { allRows, fillTables, type Row } from "../../fixtures/filled_database.ts";
import { ask, createOlderDatabase } from "../../fixtures/database_contents.ts";
import { execute, type PostgresServer, startPostgres } from "../../fixtures/postgres.ts";

const rowsEach = 500;

describe("moving from the embedded database to PostgreSQL", () => {
  let server: PostgresServer;
  let databaseUrl: string;
  let dataFolder: string;
  let path: string;
  let types: Map<string, string>;
  beforeAll(async () => {
    server = await startPostgres();
    types = await columnTypes(await laidOut(server));
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    databaseUrl = await server.createDatabase();
    dataFolder = await Deno.makeTempDir();
    path = join(dataFolder, "rollcall.sqlite");
    await (await openDatabase({ dataFolder })).close();
  });
  afterEach(() => Deno.remove(dataFolder, { recursive: true }));

  function move(inTransaction = () => Promise.resolve()) {
    return moveToPostgres(dataFolder, databaseUrl, inTransaction);
  }

  it("copies every row of every table and does not change the source", async () => {
    fillTables(path, rowsEach, types);
    const before = allRows(path);
    const bytes = await digest(path);
    assert.deepEqual(await move(), {
      rows: before.size * rowsEach,
      tables: before.size,
      leftBehind: [],
    });
    assert.equal(await digest(path), bytes);
    assert.deepEqual([...before.keys()].sort(), await tablesIn(databaseUrl));
    for (const [table, rows] of before) {
      const moved = await ask(databaseUrl, `select * from "${table}"`);
      assert.deepEqual(moved.map(comparable).sort(), rows.map(comparable).sort(), table);
    }
  });

  it("continues generated numbers after the embedded database's", async () => {
    change(
      `insert into attendance (number, "at", "userId", kind, change) values (41, 1, 'u', 'user', 'join')`,
    );
    await move();
    await execute(
      databaseUrl,
      `insert into attendance ("at", "userId", kind, change) values (2, 'u', 'user', 'leave')`,
    );
    const rows = await ask(databaseUrl, "select number from attendance order by number");
    assert.deepEqual(rows.map(({ number }) => Number(number)), [41, 42]);
  });

  it("upgrades the copy of an older database, and not the source", async () => {
    await Deno.remove(path);
    // Without the links of accounts and what came after.
    const links = migrations.findIndex(({ name }) => name === "invitations and reset links");
    await createOlderDatabase(path, migrations.length - links);
    change("insert into setting values ('a', 'b')");
    await move();
    assert.deepEqual(await ask(databaseUrl, `select * from "accountLink"`), []);
    assert.equal((await ask(databaseUrl, "select * from setting")).length, 1);
    assert.equal(allRows(path).has("accountLink"), false);
  });

  it("reports tables that are not Rollcall's", async () => {
    change("create table _litestream_seq (id integer primary key)");
    assert.deepEqual((await move()).leftBehind, ["_litestream_seq"]);
  });

  describe("leaves PostgreSQL unchanged when", () => {
    async function refused(
      reason: RegExp,
      tables: string[] = [],
      inTransaction?: () => Promise<void>,
    ) {
      await assert.rejects(move(inTransaction), reason);
      assert.deepEqual(await tablesIn(databaseUrl), tables);
    }

    it("PostgreSQL has a table of another program", async () => {
      await execute(databaseUrl, "create table guestbook (id integer)");
      await refused(/not empty: it has a table "guestbook"/, ["guestbook"]);
    });

    it("PostgreSQL has a row of Rollcall's", async () => {
      await (await openDatabase({ dataFolder, databaseUrl })).close();
      await execute(databaseUrl, "insert into setting values ('a', 'b')");
      await assert.rejects(move(), /not empty: it has a table "setting"/);
      assert.equal((await ask(databaseUrl, "select * from setting")).length, 1);
    });

    for (
      const [what, value, column] of [
        ["text has a NUL", "'a' || char(0) || 'b', 1", "actorId"],
        ["text is none", "x'ff', 1", "actorId"],
        ["an integer is none", "'a', 1.5", "at"],
      ]
    ) {
      it(what, async () => {
        const columns = `"actorId", "at", "actorName", action, details`;
        change(`insert into "auditEntry" (${columns}) values (${value}, 'n', 'a', '{}')`);
        await refused(new RegExp(`"auditEntry" .* cannot store a value .* in "${column}"`));
      });
    }

    it("an integer is too large for PostgreSQL", async () => {
      change(`insert into "signInAttempt" values ('a', 3000000000, 1)`);
      await refused(/"signInAttempt" of PostgreSQL reports: .*out of range/);
    });

    it("a row differs after it was copied", async () => {
      await (await openDatabase({ dataFolder, databaseUrl })).close();
      await execute(
        databaseUrl,
        `create function other() returns trigger language plpgsql as
           $$ begin new.value = new.value || ' '; return new; end $$;
         create trigger other before insert on setting for each row execute function other()`,
      );
      change("insert into setting values ('a', 'b')");
      await assert.rejects(move(), /"setting" of PostgreSQL has another value in "value"/);
      assert.deepEqual(await ask(databaseUrl, "select * from setting"), []);
    });

    it("the additional work in the transaction fails", async () => {
      await refused(
        /the secrets are damaged/,
        [],
        () => Promise.reject(new Error("the secrets are damaged")),
      );
    });

    it("another process has the embedded database open", async () => {
      const open = await openDatabase({ dataFolder });
      await refused(/is in use/);
      await open.close();
    });

    it("the embedded database is damaged", async () => {
      fillTables(path, 100);
      const file = await Deno.open(path, { write: true });
      await file.seek(40_960, Deno.SeekMode.Start);
      await file.write(new Uint8Array(40_960).fill(7));
      file.close();
      await refused(/is damaged/);
    });
  });

  function change(statement: string): void {
    const database = new DatabaseSync(path);
    database.exec(statement);
    database.close();
  }
});

/** A row as text, the same for both engines. */
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

async function laidOut(server: PostgresServer): Promise<string> {
  const databaseUrl = await server.createDatabase();
  await (await openDatabase({ dataFolder: "", databaseUrl })).close();
  return databaseUrl;
}

async function columnTypes(databaseUrl: string): Promise<Map<string, string>> {
  const columns = await ask(
    databaseUrl,
    `select table_name || '.' || column_name as name, data_type as type
     from information_schema.columns where table_schema = 'public'`,
  );
  return new Map(columns.map(({ name, type }) => [String(name), String(type)]));
}

async function tablesIn(databaseUrl: string): Promise<string[]> {
  const rows = await ask(
    databaseUrl,
    "select tablename from pg_tables where schemaname = 'public' and tablename <> 'migration'",
  );
  return rows.map(({ tablename }) => String(tablename)).sort();
}

async function digest(path: string): Promise<string> {
  return createHash("sha256").update(await Deno.readFile(path)).digest("hex");
}
