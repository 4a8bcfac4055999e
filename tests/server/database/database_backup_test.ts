import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { writeBackup } from "@/server/database/database_backup.ts";
import { openDatabase } from "@/server/database/database.ts";
import { restoreBackup } from "@/server/database/database_restore.ts";
import { allRows, fillTables } from "../../fixtures/filled_database.ts";

const rowsEach = 500;
const secrets = `{"secret":"of this test"}\n`;

describe("a backup", () => {
  let dataFolder: string;
  let path: string;
  let file: string;
  beforeEach(async () => {
    const folder = await Deno.makeTempDir();
    dataFolder = join(folder, "data");
    path = join(dataFolder, "rollcall.sqlite");
    file = join(folder, "rollcall.backup");
    await (await openDatabase({ dataFolder })).close();
  });
  afterEach(() => Deno.remove(join(dataFolder, ".."), { recursive: true }));

  function backUp(options: { file?: string; overwrite?: boolean } = {}): Promise<number> {
    return writeBackup(options.file ?? file, dataFolder, ["secrets.json", "absent.json"], options);
  }

  /** Asserts that the call is refused and leaves no file. */
  async function refused(reason: RegExp, options: { file?: string; overwrite?: boolean } = {}) {
    const before = namesIn(dataFolder, "..");
    await assert.rejects(backUp(options), (error: Error) => {
      assert.match(error.message, reason);
      assert.equal(error.message.includes("\n"), false);
      return true;
    });
    assert.deepEqual(namesIn(dataFolder, ".."), before);
  }

  it("has every row of every table and the secrets, and only its owner can read it", async () => {
    await Deno.writeTextFile(join(dataFolder, "secrets.json"), secrets);
    fillTables(path, rowsEach);
    const bytes = await backUp();
    const { size, mode } = await Deno.stat(file);
    assert.deepEqual([size, mode! & 0o777], [bytes, 0o600]);
    const { keptFile, ...rows } = Object.fromEntries(allRows(file));
    assert.deepEqual(rows, Object.fromEntries(allRows(path)));
    assert.deepEqual(keptFile.map((row) => ({ ...row })), [
      { name: "secrets.json", content: secrets },
    ]);
    assert.deepEqual(namesIn(dataFolder, ".."), ["data", "rollcall.backup"]);
  });

  it("has committed rows of the write-ahead log, and no uncommitted ones", async () => {
    using writer = new DatabaseSync(path);
    writer.exec("insert into setting values ('committed', '')");
    writer.exec("begin immediate");
    writer.exec("insert into setting values ('open', '')");
    await backUp();
    assert.deepEqual(allRows(file).get("setting")!.map(({ name }) => name), ["committed"]);
  });

  it("can be made of a backup that was copied over the database by hand", async () => {
    await Deno.writeTextFile(join(dataFolder, "secrets.json"), secrets);
    await backUp();
    await Deno.copyFile(file, path);
    await backUp({ overwrite: true });
    assert.equal(allRows(file).get("keptFile")!.length, 1);
  });

  it("replaces an existing file only when asked to", async () => {
    await Deno.writeTextFile(file, "precious");
    await refused(/rollcall\.backup already exists; --force replaces it$/);
    assert.equal(await Deno.readTextFile(file), "precious");
    await backUp({ overwrite: true });
    assert(allRows(file).has("user"));
  });

  it("is complete when two are made at the same moment with the same name", async () => {
    for (let run = 0; run < 20; run++) {
      const both = await Promise.allSettled([backUp(), backUp()]);
      assert.deepEqual(both.map(({ status }) => status).sort(), ["fulfilled", "rejected"]);
      await Deno.remove(file);
    }
  });

  it("is refused when the destination is a file of the data itself", async () => {
    const names = ["rollcall.sqlite", "rollcall.sqlite-wal", "secrets.json", "rollcall.lock"];
    for (const name of names) {
      await refused(/is a file of the data itself/, {
        file: join(dataFolder, "..", "data", name),
        overwrite: true,
      });
    }
  });

  it("is refused when the destination cannot be written", async () => {
    await refused(/^\/proc\/nowhere cannot be written: No such file/, { file: "/proc/nowhere/b" });
    const link = join(dataFolder, "..", "link");
    await Deno.symlink("/dev/null", link);
    for (const file of [link, dataFolder]) {
      for (const overwrite of [false, true]) {
        await refused(/is not a regular file; name another one$/, { file, overwrite });
      }
    }
  });

  it("is refused for a folder without a database", async () => {
    await Deno.remove(path);
    await refused(/^There is no database .*rollcall\.sqlite$/);
  });

  it("is refused for a damaged database", async () => {
    fillTables(path, rowsEach);
    await overwriteMiddle(path);
    await refused(/malformed|damaged/);
    await Deno.writeTextFile(path, "no database at all".repeat(100));
    await refused(/not a database/);
  });

  it("is refused for a database with references to missing rows", async () => {
    using database = new DatabaseSync(path);
    database.exec("pragma foreign_keys = off");
    database.exec(`insert into session ("id", "expiresAt", "token", "createdAt", "updatedAt",
      "userId") values ('s', '', 't', '', '', 'nobody')`);
    await refused(/refers to missing rows/);
  });

  it("is refused for a database of a newer version", async () => {
    using database = new DatabaseSync(path);
    database.exec("insert into migration values (1000, 'from the future', '')");
    await refused(/written by a newer version of Rollcall: it has migration 1000/);
  });
});

function namesIn(...folder: string[]): string[] {
  return [...Deno.readDirSync(join(...folder))].map(({ name }) => name).sort();
}

async function overwriteMiddle(path: string): Promise<void> {
  using file = await Deno.open(path, { write: true });
  const { size } = await file.stat();
  await file.seek(Math.floor(size / 2), Deno.SeekMode.Start);
  await file.write(new Uint8Array(16_384).fill(7));
}

const keptFiles = ["secrets.json"];

describe("restoring a backup", () => {
  let folder: string;
  let dataFolder: string;
  let path: string;
  let file: string;
  beforeEach(async () => {
    folder = await Deno.makeTempDir();
    dataFolder = join(folder, "data");
    path = join(dataFolder, "rollcall.sqlite");
    file = join(folder, "rollcall.backup");
    await (await openDatabase({ dataFolder })).close();
    await Deno.writeTextFile(join(dataFolder, "secrets.json"), "the old secrets");
    set(path, "backed up");
    await writeBackup(file, dataFolder, keptFiles);
  });
  afterEach(() => Deno.remove(folder, { recursive: true }));

  function restore(into = dataFolder): Promise<string[]> {
    return restoreBackup(file, into, keptFiles);
  }

  async function refused(reason: RegExp): Promise<void> {
    const before = namesBelow(dataFolder);
    await assert.rejects(restore(), reason);
    assert.deepEqual(namesBelow(dataFolder), [...new Set([...before, "rollcall.lock"])].sort());
  }

  it("restores every row and the secrets on a new machine", async () => {
    fillTables(path, 500);
    await writeBackup(file, dataFolder, keptFiles, { overwrite: true });
    const there = join(folder, "another", "machine");
    assert.deepEqual(await restore(there), []);
    const restored = join(there, "rollcall.sqlite");
    assert.deepEqual(allRows(restored), allRows(path));
    assert.equal(await Deno.readTextFile(join(there, "secrets.json")), "the old secrets");
    const bytes = await Deno.readFile(restored);
    assert.equal(new TextDecoder("latin1").decode(bytes).includes("the old secrets"), false);
    for (const name of namesBelow(there)) {
      assert.equal((await Deno.stat(join(there, name))).mode! & 0o777, 0o600, name);
    }
    await (await openDatabase({ dataFolder: there })).close();
  });

  it("keeps the replaced database, with the write-ahead log of a killed server", async () => {
    const killed = join(folder, "killed");
    const writer = new DatabaseSync(path);
    writer.exec("pragma journal_mode = wal");
    set(path, "written later");
    await copyFolder(dataFolder, killed);
    writer.close();
    await Deno.writeTextFile(join(killed, "secrets.json"), "the new secrets");
    assert(namesBelow(killed).includes("rollcall.sqlite-wal"));

    const [database, secrets] = await restore(killed);
    assert.deepEqual(settings(join(killed, "rollcall.sqlite")), ["backed up"]);
    assert.deepEqual(settings(database), ["backed up", "written later"]);
    assert.match(database, /replaced-20\d\d-[-\dTZ]+-rollcall\.sqlite$/);
    assert.equal(await Deno.readTextFile(join(killed, "secrets.json")), "the old secrets");
    assert.equal(await Deno.readTextFile(secrets), "the new secrets");
    const kept = namesBelow(killed).filter((name) =>
      !/^replaced-/.test(name) && !/-(shm|wal)/.test(name)
    );
    assert.deepEqual(kept, ["rollcall.lock", "rollcall.sqlite", "secrets.json"]);
  });

  it("replaces a database that cannot be opened", async () => {
    await Deno.writeTextFile(path, "not a database".repeat(100));
    const replaced = await restore();
    assert.deepEqual(settings(path), ["backed up"]);
    assert.deepEqual(replaced.map((each) => each.replace(/.*Z-/, "")), [
      "rollcall.sqlite",
      "secrets.json",
    ]);
  });

  it("keeps the secrets when the backup is a plain copy of a database", async () => {
    using copy = new DatabaseSync(file);
    copy.exec(`drop table "keptFile"`);
    assert.equal((await restore()).length, 1);
    assert.equal(await Deno.readTextFile(join(dataFolder, "secrets.json")), "the old secrets");
  });

  it("is refused while any connection has the database open", async () => {
    for (const server of [undefined, {}]) {
      const open = await openDatabase({ dataFolder, server });
      await assert.rejects(restore(), /is in use/);
      await open.close();
    }
    await restore();
  });

  it("is refused when the backup is damaged, newer, or not Rollcall's", async () => {
    await Deno.writeTextFile(file, "no database".repeat(100));
    await refused(/rollcall\.backup is damaged: file is not a database/);
    await Deno.remove(file);
    await refused(/^DatabaseError: There is no database /);
    using other = new DatabaseSync(file);
    other.exec("create table guestbook (id integer)");
    await refused(/is not a database of Rollcall/);
    other.exec("create table migration (number integer)");
    other.exec("insert into migration values (1000)");
    await refused(/written by a newer version of Rollcall/);
    assert.deepEqual(settings(path), ["backed up"]);
  });

  it("is refused when the backup contains files that are not Rollcall's", async () => {
    using backup = new DatabaseSync(file);
    backup.exec(`update "keptFile" set name = '../../../etc/cron.d/root'`);
    await refused(/contains files that are not Rollcall's/);
  });

  it("gives the new data, or an error, to a process that opens the database meanwhile", async () => {
    set(path, "replaced");
    for (let run = 0; run < 20; run++) {
      const [opened, restored] = await Promise.allSettled([
        openDatabase({ dataFolder }),
        restore(),
      ]);
      if (opened.status === "rejected") throw opened.reason;
      const rows = await opened.value.queries.selectFrom("setting").select("name").execute();
      await opened.value.close();
      const expected = restored.status === "fulfilled" ? ["backed up"] : ["backed up", "replaced"];
      assert.deepEqual(rows.map(({ name }) => name).sort(), expected);
      if (restored.status === "fulfilled") set(path, "replaced");
    }
  });
});

function set(path: string, name: string): void {
  using database = new DatabaseSync(path);
  database.prepare("insert into setting values (?, '')").run(name);
}

function settings(path: string): unknown[] {
  return allRows(path).get("setting")!.map(({ name }) => name);
}

async function copyFolder(from: string, to: string): Promise<void> {
  await Deno.mkdir(to);
  for (const name of namesBelow(from)) await Deno.copyFile(join(from, name), join(to, name));
}

function namesBelow(folder: string): string[] {
  return [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
}
