import { dirname } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { DatabaseError } from "./database_error.ts";
import { createPrivately, faultOf } from "./sqlite_file.ts";

/**
 * Copies the database, as of this moment, into a new file that only its owner can read. Other
 * connections can read and write meanwhile; what they commit later is not in the copy.
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
    // Unlike SQLite's backup interface, this does not start over when another connection writes.
    database.prepare("vacuum into ?").run(path);
  } catch (error) {
    throw new DatabaseError(`The copy cannot be made: ${faultOf(error)}`);
  }
}
