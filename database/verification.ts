import type { DatabaseSync } from "node:sqlite";
import { z } from "zod";
import { DatabaseError } from "./database_error.ts";
import { newestMigration, tooNew } from "./migrations.ts";
import { faultOf } from "./sqlite_file.ts";

const integritySchema = z.tuple([z.object({ integrity_check: z.literal("ok") })]);
const versionSchema = z.object({ version: z.int().positive() });

/**
 * Reads the whole file and answers how many migrations it has, which this version knows all.
 *
 * @param name what the file is called in an error.
 * @throws {DatabaseError} when a page, an index or a reference is damaged, when it is not a database
 * of this program, or one of a newer version.
 */
export function verify(database: DatabaseSync, name: string): number {
  const version = versionOf(database, name);
  if (version > newestMigration) throw tooNew(name, version);
  const integrity = ask(database, name, "pragma integrity_check(1)");
  if (!integritySchema.safeParse(integrity).success) throw new DatabaseError(`${name} is damaged`);
  if (ask(database, name, "pragma foreign_key_check").length > 0) {
    throw new DatabaseError(`${name} is damaged: it refers to rows that it does not have`);
  }
  return version;
}

function versionOf(database: DatabaseSync, name: string): number {
  const tables = ask(database, name, "select 1 from sqlite_master where name = 'migration'");
  if (tables.length === 0) throw new DatabaseError(`${name} is not a database of Rollcall`);
  const [row] = ask(database, name, "select max(number) as version from migration");
  const parsed = versionSchema.safeParse(row);
  if (!parsed.success) throw new DatabaseError(`${name} is not a database of Rollcall`);
  return parsed.data.version;
}

function ask(database: DatabaseSync, name: string, statement: string): unknown[] {
  try {
    return database.prepare(statement).all();
  } catch (error) {
    throw new DatabaseError(`${name} is damaged: ${faultOf(error)}`);
  }
}
