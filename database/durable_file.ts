import { randomBytes } from "node:crypto";
import { lchown, stat } from "node:fs/promises";
import { dirname } from "node:path";

/** A new name beside `path`, for what is to bear that name once it is whole. */
export function partialName(path: string): string {
  return `${path}.${randomBytes(6).toString("hex")}.partial`;
}

/**
 * Gives a finished file its name, at once and for good: both outlive a loss of power from then on.
 *
 * @param overwrite whether a file that bears the name is replaced.
 * @throws {Deno.errors.AlreadyExists} when one bears it and is not to be replaced.
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

/** A hard link fails on an existing name, which a rename does not. */
async function renameToNew(partial: string, path: string): Promise<void> {
  try {
    await Deno.link(partial, path);
  } catch (error) {
    if (error instanceof Deno.errors.AlreadyExists || await exists(path)) {
      throw new Deno.errors.AlreadyExists(path);
    }
    // File systems of memory sticks and some network drives have no hard links.
    return await Deno.rename(partial, path);
  }
  await Deno.remove(partial);
}

/** Whether something bears the name. */
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
 * Writes a small text into a file that the folder's owner alone can read. The file appears whole and on
 * the disk, or not at all.
 *
 * @param overwrite whether a file of that name is replaced.
 * @throws {Deno.errors.AlreadyExists} when there is one that is not to be replaced.
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
 * Where root makes a file in somebody's folder, it belongs to that one, who could not open it else. What
 * a link leads to is left alone: whoever has the folder could have put it there.
 */
export async function giveToOwner(path: string, folder: string): Promise<void> {
  if (Deno.uid() !== 0) return;
  const { uid, gid } = await stat(folder);
  await lchown(path, uid, gid);
}
