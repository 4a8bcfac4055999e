import { basename, dirname, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { copyDatabase } from "./copy.ts";
import { DatabaseError } from "./database_error.ts";
import { exists, partialName, publishFile } from "./durable_file.ts";
import { packKeptFiles, readKeptFiles } from "./kept_files.ts";
import { lockFileName } from "./server_lock.ts";
import { faultOf, openExisting, sqlitePath } from "./sqlite_file.ts";
import { verify } from "./verification.ts";

/** The source and the destination of a backup. */
export interface BackupOptions {
  /** The folder of the embedded database. */
  dataFolder: string;
  /** Names of files in the folder that belong into the backup, if they exist. */
  keptFiles: string[];
  /** The file to write. */
  file: string;
  /** Whether to replace an existing file. */
  overwrite: boolean;
}

/**
 * Writes all data of an installation into one file. Servers can run and write meanwhile: the file
 * contains everything that was committed before the call, and of every transaction all or nothing. It is
 * verified, flushed to disk and readable only by its owner; on failure it does not exist.
 *
 * @returns its size in bytes.
 * @throws {DatabaseError} when there is no database, it is damaged, or the file cannot be written.
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
    throw new DatabaseError(`${file} is a file of the data itself; name another file`);
  }
  if (!await exists(file)) return;
  // Such as /dev/null or /dev/stdout, which root could replace with a file.
  const { isFile } = await Deno.lstat(file);
  if (!isFile) throw new DatabaseError(`${file} is not a regular file; name another one`);
  if (!overwrite) throw alreadyThere(file);
}

/** Whether a file of this name in the data folder belongs to the installation. */
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
  return new DatabaseError(`${file} already exists; --force replaces it`);
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
