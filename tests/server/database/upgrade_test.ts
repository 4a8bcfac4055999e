import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, it } from "@std/testing/bdd";
import { type Migration, migrations, upgrade } from "@/server/database/migrations.ts";
import { AskedProcess } from "../../fixtures/asked_process.ts";
import { describeOnEachDatabase, type TestDatabase } from "../../fixtures/databases.ts";
import { allRows, fillTables, type Row } from "../../fixtures/filled_database.ts";
import { createOlderDatabase } from "../../fixtures/database_contents.ts";
import { withTimeout } from "../../fixtures/with_timeout.ts";

const program = new URL("starting_process.ts", import.meta.url);
const timeoutMs = 180_000;

describeOnEachDatabase("an upgrade", (store) => {
  it("is applied once by two processes that start at the same moment", async () => {
    await using one = await start(store);
    await using other = await start(store);
    for (let run = 0; run < 20; run++) {
      await empty(store);
      assert.deepEqual(await bothOpen(one, other), [null, null]);
      const rows = await store.query(`select "number" from "migration" order by "number"`);
      assert.deepEqual(rows.map((row) => row.number), migrations.map((_, index) => index + 1));
    }
  });

  it("leaves the database unchanged when it fails", async () => {
    const database = await store.open();
    await store.query(`insert into "setting" values ('kept', 'yes')`);
    const before = await contentOf(store);
    const steps: Migration[] = [
      ...migrations,
      {
        name: "works",
        async apply(queries) {
          await queries.schema.createTable("addition").addColumn("id", "integer").execute();
          await queries.schema.alterTable("setting").addColumn("more", "text").execute();
          await queries.deleteFrom("setting").execute();
        },
      },
      { name: "fails", apply: () => Promise.reject(new Error("no such thing")) },
    ];
    await assert.rejects(upgrade(database, undefined, steps), /no such thing/);
    assert.deepEqual(await contentOf(store), before);
    await upgrade(database, undefined, steps.slice(0, -1));
    assert.deepEqual(await store.query(`select * from "addition"`), []);
    assert.deepEqual(await store.query(`select * from "setting"`), []);
  });

  it("leaves the database unchanged when its process is killed", async () => {
    await store.open();
    await store.query(`insert into "setting" values ('kept', 'yes')`);
    await store.close();
    const before = await contentOf(store);
    await using process = await start(store);
    await withTimeout(process.ask("stall"), "a migration had begun", timeoutMs);
    Deno.kill(process.pid, "SIGKILL");
    await store.open();
    assert.deepEqual(await contentOf(store), before);
  });

  it("is refused for a database of a newer version, which stays unchanged", async () => {
    await store.open();
    await store.query(`insert into "migration" values (1000, 'from the future', '')`);
    const before = await contentOf(store);
    await assert.rejects(store.open(), {
      name: "DatabaseError",
      message: "The database was written by a newer version of Rollcall: it has migration 1000, " +
        `this version knows ${migrations.length}`,
    });
    assert.deepEqual(await contentOf(store), before);
  });

  if (store.engine === "sqlite") describe("of the embedded database", () => copies(store));
});

function copies(store: TestDatabase): void {
  const copiesIn = () => namesIn(store.dataFolder).filter((name) => name.includes("before"));

  it("keeps one copy, also when two processes start at the same moment", async () => {
    await using one = await start(store);
    await using other = await start(store);
    for (let run = 0; run < 20; run++) {
      await empty(store);
      const rows = await older(store, 1);
      assert.deepEqual(await bothOpen(one, other), [null, null]);
      const copy = `rollcall-before-${migrations.length}.sqlite`;
      assert.deepEqual(copiesIn(), [copy]);
      assert.deepEqual(allRows(join(store.dataFolder, copy)), rows);
      assert.equal((await Deno.stat(join(store.dataFolder, copy))).mode! & 0o777, 0o600);
    }
  });

  it("keeps all rows; all are of presence-chart, and lack names, log ids and active users", async () => {
    const named = migrations.findIndex(({ name }) => name === "names in the activity log");
    const rows = await older(store, migrations.length - named);
    await store.open();
    const upgraded = allRows(join(store.dataFolder, "rollcall.sqlite"));
    assert.deepEqual(upgraded.get("app"), []);
    for (const [table, before] of rows) {
      const channel = { channel: "presence-chart" };
      const named = { ...channel, name: null, searchName: null };
      const added: Record<string, Row> = {
        attendance: { ...named, logId: null },
        attending: named,
        onlineInterval: { ...channel, mostActive: null, guestsAtMost: null },
        session: { vouchedBy: null },
        user: { limits: null, language: null },
        accountLink: { limits: null },
        wallboardLink: { activity: "none" },
      };
      const after = before.map((row) => ({ ...row, ...added[table] }));
      assert.deepEqual(upgraded.get(table)?.map(plain), after.map(plain), table);
    }
  });

  it("keeps only the newest two copies", async () => {
    for (const missing of [1, 3, 2, 4]) {
      for (const name of namesIn(store.dataFolder)) {
        if (/^rollcall\.sqlite/.test(name)) await Deno.remove(join(store.dataFolder, name));
      }
      await older(store, missing);
      await store.open();
      await store.close();
    }
    const kept = [2, 4].map((missing) =>
      `rollcall-before-${migrations.length + 1 - missing}.sqlite`
    );
    assert.deepEqual(copiesIn(), kept.sort());
  });

  it("is refused when the copy cannot be made", async () => {
    const rows = await older(store, 1);
    const inTheWay = join(store.dataFolder, `rollcall-before-${migrations.length}.sqlite`);
    await Deno.mkdir(inTheWay);
    await Deno.writeTextFile(join(inTheWay, "file"), "");
    await assert.rejects(store.open());
    assert.deepEqual(allRows(join(store.dataFolder, "rollcall.sqlite")), rows);
    assert.deepEqual(namesIn(store.dataFolder).filter((name) => name.includes("partial")), []);
  });

  it("keeps no copy of a new database or one that is up to date", async () => {
    await store.open();
    await store.open();
    assert.deepEqual(copiesIn(), []);
  });
}

/** SQLite's rows have no prototype. */
function plain(row: Row): Row {
  return { ...row };
}

/** Makes both open the database at the same moment. @returns their errors. */
function bothOpen(one: AskedProcess, other: AskedProcess): Promise<unknown[]> {
  const opened = Promise.all([one.ask("open"), other.ask("open")]);
  return withTimeout(opened, "both had opened the database", timeoutMs);
}

async function start(store: TestDatabase): Promise<AskedProcess> {
  const args = [store.dataFolder, ...(store.databaseUrl ? [store.databaseUrl] : [])];
  const starting = AskedProcess.start(program, args);
  return (await withTimeout(starting, "a process had started", timeoutMs)).process;
}

async function empty(store: TestDatabase): Promise<void> {
  if (store.engine === "postgres") {
    await store.query("drop schema public cascade");
    await store.query("create schema public");
  } else {
    for (const name of namesIn(store.dataFolder)) await Deno.remove(join(store.dataFolder, name));
  }
}

/** Creates the embedded database without the last migrations. @returns its rows. */
async function older(store: TestDatabase, missing: number): Promise<Map<string, Row[]>> {
  const path = join(store.dataFolder, "rollcall.sqlite");
  await createOlderDatabase(path, missing);
  fillTables(path, 10);
  return allRows(path);
}

/** The layout and the rows of all tables. */
async function contentOf(store: TestDatabase): Promise<unknown> {
  const layout = store.engine === "postgres"
    ? `select table_name, column_name, data_type from information_schema.columns
       where table_schema = 'public' order by table_name, ordinal_position`
    : "select name, sql from sqlite_master order by name";
  return [
    await store.query(layout),
    await store.query(`select * from "migration" order by "number"`),
    await store.query(`select * from "setting"`),
  ];
}

function namesIn(folder: string): string[] {
  return [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
}
