import { hostname } from "node:os";
import { join } from "node:path";
import { DatabaseError, DatabaseInUse } from "./database_error.ts";
import { giveToOwner } from "./durable_file.ts";
import { createPrivately } from "./sqlite_file.ts";

/** The file in the data folder that the lock is on. */
export const lockFileName = "rollcall.lock";

const pollMs = 100;

/** How a wait for the lock goes on. */
export interface LockPatience {
  /** How long to wait for the process that has it. */
  waitMs?: number;
  /** Is told once that a wait begins, and for whom. */
  waiting?: (holder: string) => void;
}

/**
 * What the one process has that may be a server on the embedded database, or change it as a whole.
 * The system takes it back when the process ends, however it ends.
 */
export class ServerLock implements Disposable {
  readonly #file: Deno.FsFile;

  private constructor(file: Deno.FsFile) {
    this.#file = file;
  }

  /**
   * Takes the lock of the data folder, which must be there.
   *
   * @throws {DatabaseInUse} with who has it, when it is not free in time.
   * @throws {DatabaseError} when there is a link in the place of its file.
   */
  static async take(dataFolder: string, patience: LockPatience = {}): Promise<ServerLock> {
    const path = join(dataFolder, lockFileName);
    if (await createPrivately(path)) await giveToOwner(path, dataFolder);
    const file = await Deno.open(path, { read: true, write: true });
    try {
      await refuseLink(path, file);
      await acquire(file, dataFolder, patience);
      await write(file, `process ${Deno.pid} on ${hostname()}, since ${new Date().toISOString()}`);
      return new ServerLock(file);
    } catch (error) {
      file.close();
      throw error;
    }
  }

  [Symbol.dispose](): void {
    this.#file.truncateSync();
    this.#file.close();
  }
}

/** A link may lead to any file, of root's too, and could be made by whoever has the folder. */
async function refuseLink(path: string, file: Deno.FsFile): Promise<void> {
  if ((await Deno.lstat(path)).ino === (await file.stat()).ino) return;
  throw new DatabaseError(`${path} is a link, not a file; remove it`);
}

async function acquire(
  file: Deno.FsFile,
  folder: string,
  { waitMs = 0, waiting }: LockPatience,
): Promise<void> {
  const giveUpAt = performance.now() + waitMs;
  for (let isFirst = true; !await file.tryLock(true); isFirst = false) {
    if (performance.now() >= giveUpAt) {
      throw new DatabaseInUse(
        `The database in ${folder} is in use by ${await read(file)}; stop that first`,
      );
    }
    if (isFirst) waiting?.(await read(file));
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}

async function write(file: Deno.FsFile, holder: string): Promise<void> {
  await file.truncate();
  // It is read from while it is waited for, which moves the place to write at.
  await file.seek(0, Deno.SeekMode.Start);
  await file.write(new TextEncoder().encode(holder));
}

/** Who has the lock, as far as it is known: between its taking and its writing nobody is. */
async function read(file: Deno.FsFile): Promise<string> {
  const bytes = new Uint8Array(200);
  await file.seek(0, Deno.SeekMode.Start);
  const length = await file.read(bytes) ?? 0;
  const text = new TextDecoder().decode(bytes.subarray(0, length));
  return /^process \d+ on [\w.-]+, since [\d:.TZ-]+$/.test(text) ? text : "another process";
}
