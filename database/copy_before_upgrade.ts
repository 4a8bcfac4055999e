import { join } from "node:path";
import { copyDatabase } from "./copy.ts";
import { giveToOwner, partialName, publishFile } from "./durable_file.ts";
import { openExisting, sqlitePath } from "./sqlite_file.ts";

/** So that an upgrade of an upgrade leaves a way back over both. */
const copiesKept = 2;

/**
 * Keeps a copy of the embedded database, beside it, as it is before a migration that comes with a new
 * version: `rollcall-before-10.sqlite`. Whoever calls keeps others from writing meanwhile. Of such
 * copies the newest two stay.
 *
 * @throws {DatabaseError} when it cannot be made, so that nothing is changed that has no copy.
 */
export async function keepCopyBefore(migration: number, dataFolder: string): Promise<void> {
  const path = join(dataFolder, `rollcall-before-${migration}.sqlite`);
  const partial = partialName(path);
  const database = await openExisting(sqlitePath(dataFolder));
  try {
    await copyDatabase(database, partial);
    await giveToOwner(partial, dataFolder);
    await publishFile(partial, path, true);
  } finally {
    database.close();
    await Deno.remove(partial).catch(() => {});
  }
  await forgetOldCopies(dataFolder, path);
}

async function forgetOldCopies(dataFolder: string, newest: string): Promise<void> {
  const older: { path: string; time: number }[] = [];
  for await (const { name } of Deno.readDir(dataFolder)) {
    const path = join(dataFolder, name);
    if (path === newest || !/^rollcall-before-\d+\.sqlite$/.test(name)) continue;
    older.push({ path, time: (await Deno.stat(path)).mtime?.getTime() ?? 0 });
  }
  // By time, not by number: whoever went back goes on from a lower one.
  older.sort((one, other) => other.time - one.time);
  for (const { path } of older.slice(copiesKept - 1)) await Deno.remove(path);
}
