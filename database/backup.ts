import { basename, dirname, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { copyDatabase } from "./copy.ts";
import { DatabaseError } from "./database_error.ts";
import { exists, partialName, publishFile } from "./durable_file.ts";
import { packKeptFiles, readKeptFiles } from "./kept_files.ts";
import { lockFileName } from "./server_lock.ts";
import { faultOf, openExisting, sqlitePath } from "./sqlite_file.ts";
import { verify } from "./verification.ts";

/** What a backup is made of, and where it goes. */
export interface BackupOptions {
  /** Where the embedded database is. */
  dataFolder: string;
  /** The files beside it without which it is useless; those that are not there are left out. */
  keptFiles: string[];
  /** The file to make. */
  file: string;
  /** Whether a file of that name is replaced. */
  overwrite: boolean;
}

/**
 * Writes all data of an installation into one file, while servers run and write: what was committed
 * before the call is in it, of every transaction all or nothing. The file appears whole, verified, on
 * the disk and readable by its owner alone, or not at all.
 *
 * @returns its size in bytes.
 * @throws {DatabaseError} when there is nothing to copy, it is damaged, or the file cannot be made.
 */
export async function writeBackup(options: BackupOptions): Promise<number> {
  const { dataFolder, file, overwrite } = options;
  await refuseTarget(options);
  const partial = partialName(file);
  const database = await openExisting(sqlitePath(dataFolder));
  try {
    await copyDatabase(database, partial);
    await complete(partial, options);
    const { size } = await Deno.stat(partial);
    await publishFile(partial, file, overwrite);
    return size;
  } catch (error) {
    if (error instanceof DatabaseError) throw error;
    if (error instanceof Deno.errors.AlreadyExists) throw alreadyThere(file);
    throw new DatabaseError(`${file} cannot be written: ${faultOf(error)}`);
  } finally {
    database.close();
    await Deno.remove(partial).catch(() => {});
  }
}

async function refuseTarget(options: BackupOptions): Promise<void> {
  const { dataFolder, file, overwrite } = options;
  if (isLive(basename(file), options) && await isSameFolder(dirname(resolve(file)), dataFolder)) {
    throw new DatabaseError(`${file} is a name of the data itself; name another file`);
  }
  if (!await exists(file)) return;
  // Such as /dev/null or /dev/stdout, which root could replace by a file.
  const { isFile } = await Deno.lstat(file);
  if (!isFile) throw new DatabaseError(`${file} is no plain file; name another one`);
  if (!overwrite) throw alreadyThere(file);
}

/** Whether a file of this name in the data folder is what the installation works with. */
function isLive(name: string, { dataFolder, keptFiles }: BackupOptions): boolean {
  return name.startsWith(basename(sqlitePath(dataFolder))) ||
    [lockFileName, ...keptFiles].includes(name);
}

async function isSameFolder(one: string, other: string): Promise<boolean> {
  const [first, second] = await Promise.all(
    [one, other].map((path) => Deno.realPath(path).catch(() => resolve(path))),
  );
  return first === second;
}

function alreadyThere(file: string): DatabaseError {
  return new DatabaseError(`${file} is there already; --force replaces it`);
}

async function complete(partial: string, { dataFolder, keptFiles }: BackupOptions): Promise<void> {
  const files = await readKeptFiles(dataFolder, keptFiles);
  const backup = new DatabaseSync(partial);
  try {
    packKeptFiles(backup, files);
    verify(backup, "The copy");
  } finally {
    backup.close();
  }
}
