import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { copyDatabase, type KeptFile, unpackKeptFiles } from "./database_backup.ts";
import { DatabaseError, DatabaseInUse } from "./unavailable.ts";
import { exists, giveToOwner, partialName, publishFile, publishText } from "./durable_file.ts";
import { ServerLock } from "./server_lock.ts";
import {
  companionSuffixes,
  faultOf,
  openAlone,
  openExisting,
  sqlitePath,
} from "./sqlite_dialect.ts";
import { verify } from "./table_layout.ts";

/**
 * Replaces the embedded database with a backup. A kill or a loss of power leaves either the old or the
 * new database, complete.
 *
 * @param file a backup, or any other copy of Rollcall's database. It is not changed.
 * @param dataFolder the folder of the embedded database.
 * @param keptFiles names of files that the backup may contain; files that it does not contain stay as
 * they are.
 * @returns the paths of the replaced files, which are kept in the same folder with the time in their
 * names.
 * @throws {DatabaseInUse} when another process has the database open.
 * @throws {DatabaseError} when the backup is damaged or from a newer version, or cannot be written.
 */
export async function restoreBackup(
  file: string,
  dataFolder: string,
  keptFiles: string[],
): Promise<string[]> {
  const path = sqlitePath(dataFolder);
  const partial = partialName(path);
  try {
    await Deno.mkdir(dataFolder, { recursive: true, mode: 0o700 });
    using _lock = await ServerLock.take(dataFolder);
    const files = await unpack(file, partial, dataFolder, keptFiles);
    return await replace(dataFolder, partial, files);
  } catch (error) {
    if (error instanceof DatabaseError) throw error;
    throw new DatabaseError(`${dataFolder} cannot be written: ${faultOf(error)}`);
  } finally {
    for (const suffix of ["", ...companionSuffixes]) {
      await Deno.remove(partial + suffix).catch(() => {});
    }
  }
}

/** Writes the database of the backup to `partial`. @returns the files of the backup. */
async function unpack(
  file: string,
  partial: string,
  dataFolder: string,
  keptFiles: string[],
): Promise<KeptFile[]> {
  const backup = await openExisting(file, true);
  try {
    verify(backup, file);
    await copyDatabase(backup, partial);
  } finally {
    backup.close();
  }
  await giveToOwner(partial, dataFolder);
  const copy = new DatabaseSync(partial);
  try {
    const files = unpackKeptFiles(copy, keptFiles);
    verify(copy, file);
    return files;
  } finally {
    copy.close();
  }
}

async function replace(folder: string, partial: string, files: KeptFile[]): Promise<string[]> {
  const path = sqlitePath(folder);
  const time = new Date().toISOString().replaceAll(/[:.]/g, "-");
  const replaced: string[] = [];
  /** Gives the file a second name, which stays when the file is replaced. */
  async function keep(name: string): Promise<void> {
    if (!await exists(join(folder, name))) return;
    const backup = join(folder, `replaced-${time}-${name}`);
    await Deno.link(join(folder, name), backup);
    replaced.push(backup);
  }
  // Stays open until the end: processes that open the old file meanwhile wait, then open the new one.
  const old = await exists(path) ? await openUnshared(path) : null;
  try {
    await keep("rollcall.sqlite");
    for (const suffix of companionSuffixes) {
      if (!old) await keep(`rollcall.sqlite${suffix}`);
      // SQLite would apply a leftover file to the new database.
      await Deno.remove(path + suffix).catch(ignoreAbsence);
    }
    await publishFile(partial, path, true);
    for (const { name, content } of files) {
      await keep(name);
      await publishText(join(folder, name), content, true);
    }
    return replaced;
  } finally {
    old?.close();
  }
}

/** @returns null for a file that is too damaged to be opened by any process. */
async function openUnshared(path: string): Promise<DatabaseSync | null> {
  try {
    const database = await openAlone(path);
    // Moves the content of the write-ahead log into the file.
    database.exec("pragma journal_mode = delete");
    return database;
  } catch (error) {
    if (error instanceof DatabaseInUse) throw error;
    return null;
  }
}

function ignoreAbsence(error: unknown): void {
  if (!(error instanceof Deno.errors.NotFound)) throw error;
}
