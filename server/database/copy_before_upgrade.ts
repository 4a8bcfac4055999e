import { join } from "node:path";
import { copyDatabase } from "./copy.ts";
import { giveToOwner, partialName, publishFile } from "./durable_file.ts";
import { openExisting, sqlitePath } from "./sqlite_file.ts";

/** Two, so that two upgrades in a row can both be undone. */
const maxCopies = 2;

/**
 * Copies the embedded database before a migration, to `rollcall-before-10.sqlite` in the same folder.
 * The caller has to prevent other writes meanwhile. Deletes older copies, except the newest.
 *
 * @throws {DatabaseError} when the copy cannot be made; do not upgrade without one.
 */
export async function copyBeforeMigration(migration: number, dataFolder: string): Promise<void> {
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
  await deleteOldCopies(dataFolder, path);
}

async function deleteOldCopies(dataFolder: string, newest: string): Promise<void> {
  const older: { path: string; time: number }[] = [];
  for await (const { name } of Deno.readDir(dataFolder)) {
    const path = join(dataFolder, name);
    if (path === newest || !/^rollcall-before-\d+\.sqlite$/.test(name)) continue;
    older.push({ path, time: (await Deno.stat(path)).mtime?.getTime() ?? 0 });
  }
  // By time, not by number: after a downgrade, a later copy can have a lower number.
  older.sort((one, other) => other.time - one.time);
  for (const { path } of older.slice(maxCopies - 1)) await Deno.remove(path);
}
