import { dirname } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { DatabaseError } from "./database_error.ts";
import { createPrivately, faultOf } from "./sqlite_file.ts";

/**
 * Copies the database as it is at this moment into a new file that its owner alone can read. Other
 * connections may read and write meanwhile; what they commit later is not in the copy.
 *
 * @throws {DatabaseError} when a part cannot be read, or the file cannot be written.
 */
export async function copyDatabase(database: DatabaseSync, path: string): Promise<void> {
  try {
    await createPrivately(path);
  } catch (error) {
    throw new DatabaseError(`${dirname(path)} cannot be written: ${faultOf(error)}`);
  }
  try {
    // Other than SQLite's backup interface, it need not start anew whenever somebody writes.
    database.prepare("vacuum into ?").run(path);
  } catch (error) {
    throw new DatabaseError(`The copy cannot be made: ${faultOf(error)}`);
  }
}
