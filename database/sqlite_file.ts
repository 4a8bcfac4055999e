import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { DatabaseError, DatabaseInUse } from "./database_error.ts";

/** How long a statement waits for another process's lock, in milliseconds. */
const busyTimeoutMs = 10_000;

/** What SQLite keeps beside a file while it is open, or after its process was killed. */
export const companionSuffixes = ["-wal", "-shm", "-journal"];

/** The file of the embedded database. */
export function sqlitePath(dataFolder: string): string {
  return join(dataFolder, "rollcall.sqlite");
}

/**
 * Makes an empty file that its owner alone can read, unless there is a file: SQLite itself would
 * make it readable by everyone. An existing file is not even opened, as closing it would release the
 * locks that SQLite holds on it in this process.
 *
 * @returns whether it was made.
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
 * @throws {DatabaseError} when it is not there or cannot be opened.
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
 * Opens an existing file for this connection alone, until it is closed or its process ends. Whoever
 * opens it meanwhile waits at its first statement.
 *
 * @throws {DatabaseInUse} when another connection has it open, in whatever process.
 * @throws {DatabaseError} when it is not there or is no database.
 */
export async function openAlone(path: string): Promise<DatabaseSync> {
  const database = await openExisting(path);
  try {
    database.exec("pragma busy_timeout = 0");
    database.exec("pragma locking_mode = exclusive");
    // Every connection that has read a file in WAL mode keeps a shared lock on it while it is open.
    database.exec("begin exclusive");
    database.exec("commit");
    return database;
  } catch (error) {
    database.close();
    if (isLocked(error)) throw new DatabaseInUse(`${path} is in use; stop the server first`);
    throw new DatabaseError(`${path} cannot be used: ${faultOf(error)}`);
  }
}

/** What SQLite or the system says is wrong, without the call that failed. */
export function faultOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/ \(os error.*/s, "");
}

function isLocked(error: unknown): boolean {
  return /database is locked/.test(faultOf(error));
}

/** Whether there is a file of that name. */
export async function isFile(path: string): Promise<boolean> {
  try {
    return (await Deno.stat(path)).isFile;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
