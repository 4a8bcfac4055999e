import { randomBytes } from "node:crypto";
import { lchown, stat } from "node:fs/promises";
import { dirname } from "node:path";

/** A new name in the same folder, for a file that is renamed to `path` when it is complete. */
export function partialName(path: string): string {
  return `${path}.${randomBytes(6).toString("hex")}.partial`;
}

/**
 * Renames a complete file atomically, and flushes it and its name to disk: both survive a loss of power.
 *
 * @param overwrite whether to replace an existing file.
 * @throws {Deno.errors.AlreadyExists} when the file exists and must not be replaced.
 */
export async function publishFile(
  partial: string,
  path: string,
  overwrite: boolean,
): Promise<void> {
  await syncToDisk(partial);
  if (overwrite) await Deno.rename(partial, path);
  else await renameToNew(partial, path);
  await syncToDisk(dirname(path));
}

/** Uses a hard link, which unlike a rename fails on an existing name. */
async function renameToNew(partial: string, path: string): Promise<void> {
  try {
    await Deno.link(partial, path);
  } catch (error) {
    if (error instanceof Deno.errors.AlreadyExists || await exists(path)) {
      throw new Deno.errors.AlreadyExists(path);
    }
    // Some file systems, such as USB sticks', have no hard links.
    return await Deno.rename(partial, path);
  }
  await Deno.remove(partial);
}

/** Whether a file, folder or link of this name exists. */
export async function exists(path: string): Promise<boolean> {
  try {
    await Deno.lstat(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

async function syncToDisk(path: string): Promise<void> {
  using file = await Deno.open(path);
  await file.sync();
}

/**
 * Writes a text into a file that only the folder's owner can read. The file is complete and flushed to
 * disk; on failure it does not exist.
 *
 * @param overwrite whether to replace an existing file.
 * @throws {Deno.errors.AlreadyExists} when the file exists and must not be replaced.
 */
export async function publishText(path: string, text: string, overwrite: boolean): Promise<void> {
  const partial = partialName(path);
  try {
    await Deno.writeTextFile(partial, text, { createNew: true, mode: 0o600 });
    await giveToOwner(partial, dirname(path));
    await publishFile(partial, path, overwrite);
  } finally {
    await Deno.remove(partial).catch(() => {});
  }
}

/**
 * When root runs, gives a file to the owner of its folder, who could not open it otherwise. Does not
 * follow links, which that owner could have placed.
 */
export async function giveToOwner(path: string, folder: string): Promise<void> {
  if (Deno.uid() !== 0) return;
  const { uid, gid } = await stat(folder);
  await lchown(path, uid, gid);
}
