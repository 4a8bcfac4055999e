import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { openDatabase } from "@/server/database/database.ts";
import { ServerLock } from "@/server/database/server_lock.ts";

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
