import assert from "node:assert/strict";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { secretsInFolder } from "@/server/config/stored_secrets.ts";
import { openDatabase } from "@/server/database/database.ts";
import { giveToOwner } from "@/server/database/durable_file.ts";

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
