import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { DatabaseError, DatabaseInUse } from "./database_error.ts";

/** How long a statement waits for another process's lock, in milliseconds. */
const busyTimeoutMs = 10_000;

/** Suffixes of the files that SQLite creates beside an open database; they stay after a kill. */
export const companionSuffixes = ["-wal", "-shm", "-journal"];

/** The file of the embedded database. */
export function sqlitePath(dataFolder: string): string {
  return join(dataFolder, "rollcall.sqlite");
}

/**
 * Creates an empty file that only its owner can read, unless the file exists; SQLite itself would make it
 * readable for all users. Does not open an existing file, because closing it would release SQLite's
 * locks on it in this process.
 *
 * @returns whether the file was created.
 */
export async function createPrivately(path: string): Promise<boolean> {
  try {
    (await Deno.open(path, { write: true, createNew: true, mode: 0o600 })).close();
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.AlreadyExists) return false;
    throw error;
  }
}

/**
 * Opens an existing file, which other processes may use at the same time.
 *
 * @throws {DatabaseError} when it does not exist or cannot be opened.
 */
export async function openExisting(path: string, readOnly = false): Promise<DatabaseSync> {
  if (!await isFile(path)) throw new DatabaseError(`There is no database ${path}`);
  try {
    return new DatabaseSync(path, { readOnly, timeout: busyTimeoutMs });
  } catch (error) {
    throw new DatabaseError(`${path} cannot be opened: ${faultOf(error)}`);
  }
}

/**
 * Opens an existing file exclusively, until it is closed or the process ends. Other connections that open
 * it meanwhile wait at their first statement.
 *
 * @throws {DatabaseInUse} when another connection has it open, in any process.
 * @throws {DatabaseError} when it does not exist or is not a database.
 */
export async function openAlone(path: string): Promise<DatabaseSync> {
  const database = await openExisting(path);
  try {
    database.exec("pragma busy_timeout = 0");
    database.exec("pragma locking_mode = exclusive");
    // In WAL mode, each open connection that has read the file has a shared lock on it.
    database.exec("begin exclusive");
    database.exec("commit");
    return database;
  } catch (error) {
    database.close();
    if (isLocked(error)) throw new DatabaseInUse(`${path} is in use; stop the server first`);
    throw new DatabaseError(`${path} cannot be used: ${faultOf(error)}`);
  }
}

/** The message of an error of SQLite or the system, without the failed call. */
export function faultOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/ \(os error.*/s, "");
}

function isLocked(error: unknown): boolean {
  return /database is locked/.test(faultOf(error));
}

/** Whether a file of this name exists. */
export async function isFile(path: string): Promise<boolean> {
  try {
    return (await Deno.stat(path)).isFile;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
