import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { copyDatabase } from "./copy.ts";
import { DatabaseError, DatabaseInUse } from "./database_error.ts";
import { exists, giveToOwner, partialName, publishFile, publishText } from "./durable_file.ts";
import { type KeptFile, unpackKeptFiles } from "./kept_files.ts";
import { ServerLock } from "./server_lock.ts";
import { companionSuffixes, faultOf, openAlone, openExisting, sqlitePath } from "./sqlite_file.ts";
import { verify } from "./verification.ts";

/** What is restored, and where. */
export interface RestoreOptions {
  /** Where the embedded database is to be. */
  dataFolder: string;
  /** The files that a backup may put beside it; it leaves those alone that it does not have. */
  keptFiles: string[];
  /** A backup, or any other copy of a database of Rollcall. It is not changed. */
  file: string;
}

/**
 * Puts a backup in the place of the embedded database. A kill or a loss of power leaves the one
 * or the other there, whole.
 *
 * @returns where what it replaces is kept: beside it, under names that tell the time.
 * @throws {DatabaseInUse} when somebody has the database open.
 * @throws {DatabaseError} when the backup is damaged or of a newer version, or cannot be written.
 */
export async function restoreBackup(options: RestoreOptions): Promise<string[]> {
  const { dataFolder } = options;
  const path = sqlitePath(dataFolder);
  const partial = partialName(path);
  try {
    await Deno.mkdir(dataFolder, { recursive: true, mode: 0o700 });
    using _lock = await ServerLock.take(dataFolder);
    const files = await unpack(options, partial);
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

/** Makes the database at `partial` out of the backup; answers what else was in it. */
async function unpack(
  { file, keptFiles, dataFolder }: RestoreOptions,
  partial: string,
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
  /** Gives the file a second name, which stays when another file takes the first. */
  async function keep(name: string): Promise<void> {
    if (!await exists(join(folder, name))) return;
    const kept = join(folder, `replaced-${time}-${name}`);
    await Deno.link(join(folder, name), kept);
    replaced.push(kept);
  }
  // Open until the end: whoever opens the old file meanwhile waits, and then looks for the new one.
  const old = await exists(path) ? await openUnshared(path) : null;
  try {
    await keep("rollcall.sqlite");
    for (const suffix of companionSuffixes) {
      if (!old) await keep(`rollcall.sqlite${suffix}`);
      // Left there, SQLite would take its content for the new file's.
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

/** Null for a file that is too damaged to be opened, and so open nowhere. */
async function openUnshared(path: string): Promise<DatabaseSync | null> {
  try {
    const database = await openAlone(path);
    // The file then has all that was in the write-ahead log, and needs nothing beside it.
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
