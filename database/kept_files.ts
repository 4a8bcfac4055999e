import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { z } from "zod";
import { DatabaseError } from "./database_error.ts";
import { isFile } from "./sqlite_file.ts";

/** The table of a backup that holds the files kept beside the database; no other database has it. */
const table = "keptFile";

/** A file kept beside the database, such as the one of the generated secrets. */
export interface KeptFile {
  name: string;
  content: string;
}

/** Those of the named files that are in the folder. */
export async function readKeptFiles(folder: string, names: string[]): Promise<KeptFile[]> {
  const files: KeptFile[] = [];
  for (const name of names) {
    const path = join(folder, name);
    if (await isFile(path)) files.push({ name, content: await Deno.readTextFile(path) });
  }
  return files;
}

/** Puts the files into a backup. */
export function packKeptFiles(backup: DatabaseSync, files: KeptFile[]): void {
  // A backup that somebody put in the place of the database by hand has it already.
  backup.exec(`drop table if exists "${table}"`);
  backup.exec(`create table "${table}" (name text primary key, content text not null)`);
  const insert = backup.prepare(`insert into "${table}" values (?, ?)`);
  for (const { name, content } of files) insert.run(name, content);
}

/**
 * Takes the files out of a backup, which is a plain database from then on.
 *
 * @param names the only ones that are allowed.
 * @throws {DatabaseError} when it holds something else.
 */
export function unpackKeptFiles(backup: DatabaseSync, names: string[]): KeptFile[] {
  const [found] = backup.prepare("select 1 from sqlite_master where name = ?").all(table);
  if (!found) return [];
  const schema = z.array(z.object({ name: z.enum(names), content: z.string() }));
  const parsed = schema.safeParse(backup.prepare(`select name, content from "${table}"`).all());
  if (!parsed.success) throw new DatabaseError("The backup holds files that are not Rollcall's");
  // Or its pages would be free, and still hold the secrets.
  backup.exec("pragma secure_delete = on");
  backup.exec(`drop table "${table}"`);
  return parsed.data;
}
