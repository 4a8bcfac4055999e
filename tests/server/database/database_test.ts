import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { Kysely, sql } from "kysely";
import { type Database, openDatabase } from "@/server/database/database.ts";
import { ServerLock } from "@/server/database/server_lock.ts";
import {
  databaseAnswers,
  DatabaseUnavailable,
  type Outage,
  Outages,
  resolvesWithin,
} from "@/server/database/unavailable.ts";
import { writeSetting } from "@/server/database/stored_setting.ts";
import { secretsInFolder } from "@/server/config/stored_secrets.ts";
import { giveToOwner } from "@/server/database/durable_file.ts";
import { NodeSqliteDialect } from "@/server/database/sqlite_dialect.ts";
import { withTimeout } from "../../fixtures/with_timeout.ts";

describe("the embedded database", () => {
  let folder: string;
  let dataFolder: string;
  let path: string;
  beforeEach(async () => {
    folder = await Deno.makeTempDir();
    dataFolder = join(folder, "data");
    path = join(dataFolder, "rollcall.sqlite");
    await (await openDatabase({ dataFolder })).close();
  });
  afterEach(() => Deno.remove(folder, { recursive: true }));

  it("is the file that is there in the end when it is replaced while it is opened", async () => {
    const replacement = join(folder, "replacement.sqlite");
    await Deno.copyFile(path, replacement);
    mark(replacement, "new");
    mark(path, "old");
    // While the old file is locked, it is opened, but its first statement waits.
    using old = new DatabaseSync(path);
    old.exec("begin exclusive");
    const opening = openDatabase({ dataFolder });
    for (let term = 0; openFiles(path) < 2; term++) {
      assert.ok(term < 5_000, "the old file was not opened");
      await new Promise((resolve) => setTimeout(resolve));
    }
    await Deno.rename(replacement, path);
    old.exec("rollback");
    const database = await opening;
    const rows = await database.queries.selectFrom("setting").select("name").execute();
    await database.close();
    assert.deepEqual(rows.map(({ name }) => name), ["new"]);
  });

  it("has no row that refers to a missing one", async () => {
    const database = await openDatabase({ dataFolder });
    const date = new Date();
    const orphan = database.queries.insertInto("session").values({
      id: "s",
      token: "t",
      userId: "missing",
      ipAddress: null,
      userAgent: null,
      createdAt: date,
      updatedAt: date,
      expiresAt: date,
      impersonatedBy: null,
    }).execute();
    await assert.rejects(orphan, /FOREIGN KEY constraint failed/).finally(() => database.close());
  });

  it("can be read by its owner only", async () => {
    for (const { name } of Deno.readDirSync(dataFolder)) {
      assert.equal((await Deno.stat(join(dataFolder, name))).mode! & 0o077, 0, name);
    }
    assert.equal((await Deno.stat(dataFolder)).mode! & 0o077, 0);
  });

  it("is free for another server when it could not be opened", async () => {
    await Deno.writeTextFile(path, "not a database".repeat(100));
    await assert.rejects(openDatabase({ dataFolder, server: {} }), /not a database/);
    using _lock = await ServerLock.take(dataFolder);
  });

  it("keeps all of a transaction or nothing", async () => {
    const database = await openDatabase({ dataFolder });
    const failed = database.exclusively(async (transaction) => {
      await transaction.insertInto("setting").values({ name: "half", value: "" }).execute();
      throw new Error("The work failed");
    });
    await assert.rejects(failed, /The work failed/);
    assert.deepEqual(await database.queries.selectFrom("setting").selectAll().execute(), []);
    await database.close();
  });
});

/** A file with one connection has its content in one file, which can be renamed. */
function mark(path: string, name: string): void {
  using database = new DatabaseSync(path);
  database.prepare("insert into setting values (?, '')").run(name);
  database.exec("pragma journal_mode = delete");
}

/** How often this process has a file open. */
function openFiles(path: string): number {
  return [...Deno.readDirSync("/proc/self/fd")].filter(({ name }) => {
    try {
      return Deno.readLinkSync(`/proc/self/fd/${name}`) === path;
    } catch {
      return false;
    }
  }).length;
}

describe("the availability of a database", () => {
  it("is false for a late answer and for an error", async () => {
    assert.equal(await resolvesWithin(60_000, Promise.resolve([])), true);
    assert.equal(await resolvesWithin(60_000, Promise.reject(new Error("gone"))), false);
    const late = resolvesWithin(1, new Promise(() => {}));
    assert.equal(await withTimeout(late, "the probe ended"), false);
  });

  it("is true until the database is closed", async () => {
    const dataFolder = await Deno.makeTempDir();
    const database = await openDatabase({ dataFolder });
    const answers = databaseAnswers(database);
    assert.deepEqual(await Promise.all([answers(), answers()]), [true, true]);
    await database.close();
    assert.equal(await answers(), false);
    await Deno.remove(dataFolder, { recursive: true });
  });
});

const lost = fault("the connection was lost", false);
const full = fault("the disk is full", true);

function fault(reason: string, isReadable: boolean): DatabaseUnavailable {
  return new DatabaseUnavailable(new Error("of the engine"), { code: "", reason, isReadable });
}

describe("the outages of a database", () => {
  let now: number;
  let outages: Outages;
  let told: string[];
  beforeEach(() => {
    now = 10_000;
    outages = new Outages(() => now);
    told = [];
    const line = (word: string) => ({ reason, since }: Outage) =>
      told.push(`${word}: ${reason}, ${since}`);
    outages.listen({ began: line("began"), ended: line("ended") });
  });

  it("begin with the first failure and end with a success, each reported once", () => {
    outages.failed(lost);
    now += 5_000;
    outages.failed(lost);
    assert.deepEqual(outages.current, { reason: lost.reason, since: 10_000, isReadable: false });
    now += 1_000;
    outages.succeeded(false);
    outages.succeeded(false);
    assert.equal(outages.current, null);
    assert.equal(outages.count, 1);
    assert.deepEqual(told, [`began: ${lost.reason}, 10000`, `ended: ${lost.reason}, 10000`]);
  });

  it("do not end with a read while writes fail", () => {
    outages.failed(full);
    now += 5_000;
    outages.succeeded(false);
    assert.equal(outages.current?.reason, "the disk is full");
    outages.succeeded(true);
    assert.equal(outages.current, null);
  });

  it("do not end with a statement that ran before the failure", () => {
    outages.failed(lost);
    now += 999;
    outages.succeeded(true);
    assert.notEqual(outages.current, null);
  });

  it("become worse, not better, with another fault", () => {
    outages.failed(full);
    now += 1;
    outages.failed(lost);
    outages.failed(full);
    assert.deepEqual(outages.current, { reason: lost.reason, since: 10_000, isReadable: false });
    assert.equal(outages.count, 1);
  });
});

describe("an embedded database without room", () => {
  let dataFolder: string;
  let database: Database;
  beforeEach(async () => {
    dataFolder = await Deno.makeTempDir();
    database = await openDatabase({ dataFolder });
  });
  afterEach(async () => {
    await database.close();
    await Deno.remove(dataFolder, { recursive: true });
  });

  const large = "x".repeat(1_000_000);

  /** Lets the file not grow, or grow again. */
  async function setFull(isFull: boolean): Promise<void> {
    const pages = sql.lit(isFull ? 1 : 1_000_000);
    await sql`pragma max_page_count = ${pages}`.execute(database.queries);
  }

  it("fails each write with the disk's fault, also in a transaction, and works afterwards", async () => {
    await setFull(true);
    const writes = [
      writeSetting(database.queries, "one", large),
      database.exclusively((transaction) => writeSetting(transaction, "two", large)),
    ];
    for (const write of writes) {
      await assert.rejects(write, { name: "DatabaseUnavailable", reason: "the disk is full" });
    }
    assert.equal(database.outages.current?.isReadable, true);
    await database.queries.selectFrom("setting").select("name").execute();
    await setFull(false);
    await database.exclusively((transaction) => writeSetting(transaction, "two", large));
  });
});

/** The id of no user of this machine. */
const stranger = 54_321;

const ignore = Deno.uid() !== 0;

describe("a data folder of another user, in which root runs a command", { ignore }, () => {
  let folder: string;
  beforeEach(async () => {
    folder = await Deno.makeTempDir();
    await Deno.chown(folder, stranger, stranger);
  });
  afterEach(() => Deno.remove(folder, { recursive: true }));

  it("has only files that its owner can open", async () => {
    const database = await openDatabase({ dataFolder: folder, server: {} });
    await secretsInFolder(folder);
    const { uid } = await Deno.stat(folder);
    const names = [...Deno.readDirSync(folder)].map(({ name }) => name);
    assert.ok(names.length >= 3, names.join());
    for (const name of names) assert.equal((await Deno.stat(join(folder, name))).uid, uid, name);
    await database.close();
  });

  it("gives its owner no file outside that a link leads to", async () => {
    const file = await Deno.makeTempFile();
    const link = join(folder, "rollcall.lock");
    await Deno.writeTextFile(file, "root's");
    await Deno.symlink(file, link);
    const { uid } = await Deno.stat(file);
    await assert.rejects(openDatabase({ dataFolder: folder, server: {} }), {
      name: "DatabaseError",
      message: `${link} is a link, not a file; remove it`,
    });
    await giveToOwner(link, folder);
    assert.equal((await Deno.stat(file)).uid, uid);
    assert.equal(await Deno.readTextFile(file), "root's");
    await Deno.remove(file);
  });
});

/** SQLite's result codes while another connection writes, or recovers the write-ahead log. */
const locks = { "SQLITE_BUSY": 5, "SQLITE_BUSY_RECOVERY": 261 };

describe("a statement in SQLite", () => {
  for (const [name, errcode] of Object.entries(locks)) {
    it(`is retried after ${name}`, async () => {
      const { queries, failWith } = open();
      failWith(errcode);
      const { rows } = await sql<{ seven: number }>`select 7 as seven`.execute(queries);
      assert.deepEqual(rows.map(({ seven }) => seven), [7]);
      await queries.destroy();
    });
  }

  it("is not retried after another error", async () => {
    const { queries, failWith } = open();
    failWith(1);
    await assert.rejects(sql`select 7`.execute(queries), /locked or wrong/);
    await queries.destroy();
  });
});

/** A database whose next statement fails once, with a result code. */
function open() {
  const database = new DatabaseSync(":memory:");
  const prepare = database.prepare.bind(database);
  const failWith = (errcode: number) => {
    database.prepare = () => {
      database.prepare = prepare;
      throw Object.assign(new Error("locked or wrong"), { errcode });
    };
  };
  return { queries: new Kysely({ dialect: new NodeSqliteDialect(database) }), failWith };
}
