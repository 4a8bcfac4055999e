import { basename, dirname, join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { DatabaseError } from "./unavailable.ts";
import { createPrivately, faultOf, isFile, openExisting, sqlitePath } from "./sqlite_dialect.ts";
import { z } from "zod";
import { exists, giveToOwner, partialName, publishFile } from "./durable_file.ts";
import { lockFileName } from "./server_lock.ts";
import { verify } from "./table_layout.ts";

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

/** The table of a backup that contains files; other databases do not have it. */
const table = "keptFile";

/** A file in the data folder that belongs to a backup, such as the generated secrets. */
export interface KeptFile {
  name: string;
  content: string;
}

/** Reads the named files that exist in the folder. */
async function readKeptFiles(folder: string, names: string[]): Promise<KeptFile[]> {
  const files: KeptFile[] = [];
  for (const name of names) {
    const path = join(folder, name);
    if (await isFile(path)) files.push({ name, content: await Deno.readTextFile(path) });
  }
  return files;
}

/** Adds files to a backup. */
function packKeptFiles(backup: DatabaseSync, files: KeptFile[]): void {
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

/**
 * Writes all data of an installation into one file. Servers can run and write at the same time: the file contains
 * everything that was committed before the call, and of every transaction all or nothing. It is verified, flushed
 * to disk and readable only by its owner; on failure it does not exist.
 *
 * @param file the file to write.
 * @param dataFolder the folder of the embedded database.
 * @param keptFiles names of files in the folder that belong in the backup, if they exist.
 * @returns its size in bytes.
 * @throws {DatabaseError} when there is no database, it is damaged, or the file cannot be written.
 */
export async function writeBackup(
  file: string,
  dataFolder: string,
  keptFiles: string[],
  { overwrite = false } = {},
): Promise<number> {
  await refuseTarget(file, dataFolder, keptFiles);
  if (!overwrite && await exists(file)) throw alreadyThere(file);
  const partial = partialName(file);
  const database = await openExisting(sqlitePath(dataFolder));
  try {
    await copyDatabase(database, partial);
    await complete(partial, dataFolder, keptFiles);
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

async function refuseTarget(file: string, dataFolder: string, keptFiles: string[]): Promise<void> {
  const isLive = basename(file).startsWith(basename(sqlitePath(dataFolder))) ||
    [lockFileName, ...keptFiles].includes(basename(file));
  if (isLive && await isSameFolder(dirname(resolve(file)), dataFolder)) {
    throw new DatabaseError(`${file} is a file of the data itself; name another file`);
  }
  if (!await exists(file)) return;
  // Such as /dev/null or /dev/stdout, which root could replace with a file.
  const { isFile } = await Deno.lstat(file);
  if (!isFile) throw new DatabaseError(`${file} is not a regular file; name another one`);
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

async function complete(partial: string, dataFolder: string, keptFiles: string[]): Promise<void> {
  const files = await readKeptFiles(dataFolder, keptFiles);
  const backup = new DatabaseSync(partial);
  try {
    packKeptFiles(backup, files);
    verify(backup, "The copy");
  } finally {
    backup.close();
  }
}

/** Two, so that two upgrades in a row can both be undone. */
const maxCopies = 2;

/**
 * Copies the embedded database before a migration, to `rollcall-before-10.sqlite` in the same folder.
 * The caller has to prevent other writes meanwhile. Deletes older copies, except the newest.
 *
 * @throws {DatabaseError} when the copy cannot be made; do not upgrade without one.
 */
export async function copyBeforeMigration(migration: number, dataFolder: string): Promise<void> {
  const path = join(dataFolder, `rollcall-before-${migration}.sqlite`);
  const partial = partialName(path);
  const database = await openExisting(sqlitePath(dataFolder));
  try {
    await copyDatabase(database, partial);
    await giveToOwner(partial, dataFolder);
    await publishFile(partial, path, true);
  } finally {
    database.close();
    await Deno.remove(partial).catch(() => {});
  }
  await deleteOldCopies(dataFolder, path);
}

async function deleteOldCopies(dataFolder: string, newest: string): Promise<void> {
  const older: { path: string; time: number }[] = [];
  for await (const { name } of Deno.readDir(dataFolder)) {
    const path = join(dataFolder, name);
    if (path === newest || !/^rollcall-before-\d+\.sqlite$/.test(name)) continue;
    older.push({ path, time: (await Deno.stat(path)).mtime?.getTime() ?? 0 });
  }
  // By time, not by number: after a downgrade, a later copy can have a lower number.
  older.sort((one, other) => other.time - one.time);
  for (const { path } of older.slice(maxCopies - 1)) await Deno.remove(path);
}
