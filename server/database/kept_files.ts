import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { z } from "zod";
import { DatabaseError } from "./database_error.ts";
import { isFile } from "./sqlite_file.ts";

/** The table of a backup that contains files; other databases do not have it. */
const table = "keptFile";

/** A file in the data folder that belongs to a backup, such as that of the generated secrets. */
export interface KeptFile {
  name: string;
  content: string;
}

/** Reads those of the named files that exist in the folder. */
export async function readKeptFiles(folder: string, names: string[]): Promise<KeptFile[]> {
  const files: KeptFile[] = [];
  for (const name of names) {
    const path = join(folder, name);
    if (await isFile(path)) files.push({ name, content: await Deno.readTextFile(path) });
  }
  return files;
}

/** Adds files to a backup. */
export function packKeptFiles(backup: DatabaseSync, files: KeptFile[]): void {
  // The table exists if a backup was copied over the database by hand.
  backup.exec(`drop table if exists "${table}"`);
  backup.exec(`create table "${table}" (name text primary key, content text not null)`);
  const insert = backup.prepare(`insert into "${table}" values (?, ?)`);
  for (const { name, content } of files) insert.run(name, content);
}

/**
 * Removes the files from a backup, which makes it a plain database.
 *
 * @param names the names that are allowed.
 * @throws {DatabaseError} when the backup contains other files.
 */
export function unpackKeptFiles(backup: DatabaseSync, names: string[]): KeptFile[] {
  const [found] = backup.prepare("select 1 from sqlite_master where name = ?").all(table);
  if (!found) return [];
  const schema = z.array(z.object({ name: z.enum(names), content: z.string() }));
  const parsed = schema.safeParse(backup.prepare(`select name, content from "${table}"`).all());
  if (!parsed.success) throw new DatabaseError("The backup contains files that are not Rollcall's");
  // Otherwise the freed pages would still contain the secrets.
  backup.exec("pragma secure_delete = on");
  backup.exec(`drop table "${table}"`);
  return parsed.data;
}
