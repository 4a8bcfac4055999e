import type { DatabaseSync } from "node:sqlite";
import { z } from "zod";
import { DatabaseError } from "./database_error.ts";
import { newestMigration, tooNew } from "./migrations.ts";
import { faultOf } from "./sqlite_file.ts";

const integritySchema = z.tuple([z.object({ integrity_check: z.literal("ok") })]);
const versionSchema = z.object({ version: z.int().positive() });

/**
 * Reads the complete file and checks its integrity.
 *
 * @param name of the file in errors.
 * @returns the number of its migrations.
 * @throws {DatabaseError} when a page, an index or a reference is damaged, when it is not Rollcall's
 * database, or when a newer version wrote it.
 */
export function verify(database: DatabaseSync, name: string): number {
  const version = versionOf(database, name);
  if (version > newestMigration) throw tooNew(name, version);
  const integrity = query(database, name, "pragma integrity_check(1)");
  if (!integritySchema.safeParse(integrity).success) throw new DatabaseError(`${name} is damaged`);
  if (query(database, name, "pragma foreign_key_check").length > 0) {
    throw new DatabaseError(`${name} is damaged: it refers to missing rows`);
  }
  return version;
}

function versionOf(database: DatabaseSync, name: string): number {
  const tables = query(database, name, "select 1 from sqlite_master where name = 'migration'");
  if (tables.length === 0) throw new DatabaseError(`${name} is not a database of Rollcall`);
  const [row] = query(database, name, "select max(number) as version from migration");
  const parsed = versionSchema.safeParse(row);
  if (!parsed.success) throw new DatabaseError(`${name} is not a database of Rollcall`);
  return parsed.data.version;
}

function query(database: DatabaseSync, name: string, statement: string): unknown[] {
  try {
    return database.prepare(statement).all();
  } catch (error) {
    throw new DatabaseError(`${name} is damaged: ${faultOf(error)}`);
  }
}
