import { hostname } from "node:os";
import { join } from "node:path";
import { DatabaseError, DatabaseInUse } from "./unavailable.ts";
import { giveToOwner } from "./durable_file.ts";
import { createPrivately, isFile } from "./sqlite_dialect.ts";

/** The name of the locked file in the data folder. */
export const lockFileName = "rollcall.lock";

/** The file that workers lock together, which run on although their supervisor was killed. */
const workersFileName = "rollcall.workers.lock";

const pollMs = 100;

/** How to wait for the lock. */
export interface LockWait {
  /** How long to wait for the process that has the lock, in milliseconds. Default: 0. */
  timeoutMs?: number;
  /** Called once if a wait begins, with a description of the process that has the lock. */
  onWait?: (holder: string) => void;
  /**
   * Servers that share the lock may have it at the same time. Default: false. Workers of an embedded database share
   * it beside their supervisor, which has the lock itself.
   */
  isShared?: boolean;
  /**
   * PostgreSQL only: after that time, ends the session of the process that has the lock. Without effect
   * when either of them shares it.
   */
  takesOver?: boolean;
  /** PostgreSQL only: called once if a process that keeps this one out has got the lock meanwhile. */
  onLost?: (holder: string) => void;
}

/**
 * Lets one process at a time be the server on the embedded database, or upgrade, restore or move it. The
 * operating system releases the lock when the process ends, also after a kill.
 */
export class ServerLock implements Disposable {
  readonly #file: Deno.FsFile;

  private constructor(file: Deno.FsFile) {
    this.#file = file;
  }

  /**
   * Takes the lock of an existing data folder, when no worker of a supervisor before runs any more.
   *
   * @throws {DatabaseInUse} with a description of the process that has the lock, when time is over.
   * @throws {DatabaseError} when the locked file is a link.
   */
  static async take(dataFolder: string, wait: LockWait = {}): Promise<ServerLock> {
    if (wait.isShared) return await ServerLock.#take(dataFolder, workersFileName, wait);
    const lock = await ServerLock.#take(dataFolder, lockFileName, wait);
    if (!await isFile(join(dataFolder, workersFileName))) return lock;
    try {
      (await ServerLock.#take(dataFolder, workersFileName, wait))[Symbol.dispose]();
      return lock;
    } catch (error) {
      lock[Symbol.dispose]();
      throw error;
    }
  }

  static async #take(dataFolder: string, name: string, wait: LockWait): Promise<ServerLock> {
    const path = join(dataFolder, name);
    if (await createPrivately(path)) await giveToOwner(path, dataFolder);
    const file = await Deno.open(path, { read: true, write: true });
    try {
      await refuseLink(path, file);
      await acquire(file, dataFolder, wait);
      await write(file, `process ${Deno.pid} on ${hostname()}, since ${new Date().toISOString()}`);
      return new ServerLock(file);
    } catch (error) {
      file.close();
      throw error;
    }
  }

  /** Releases the lock. */
  close(): Promise<void> {
    this[Symbol.dispose]();
    return Promise.resolve();
  }

  [Symbol.dispose](): void {
    this.#file.truncateSync();
    this.#file.close();
  }
}

/** The folder's owner could place a link, through which root would write to any file. */
async function refuseLink(path: string, file: Deno.FsFile): Promise<void> {
  if ((await Deno.lstat(path)).ino === (await file.stat()).ino) return;
  throw new DatabaseError(`${path} is a link, not a file; remove it`);
}

async function acquire(
  file: Deno.FsFile,
  folder: string,
  { isShared = false, timeoutMs = 0, onWait }: LockWait,
): Promise<void> {
  const giveUpAt = performance.now() + timeoutMs;
  for (let isFirst = true; !await file.tryLock(!isShared); isFirst = false) {
    if (performance.now() >= giveUpAt) {
      throw new DatabaseInUse(
        `The database in ${folder} is in use by ${await read(file)}; stop that first`,
      );
    }
    if (isFirst) onWait?.(await read(file));
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}

async function write(file: Deno.FsFile, holder: string): Promise<void> {
  await file.truncate();
  // Waiting reads the file, which moves the position.
  await file.seek(0, Deno.SeekMode.Start);
  await file.write(new TextEncoder().encode(holder));
}

/** Describes the process that has the lock; it is unknown until that process has written the file. */
async function read(file: Deno.FsFile): Promise<string> {
  const bytes = new Uint8Array(200);
  await file.seek(0, Deno.SeekMode.Start);
  const length = await file.read(bytes) ?? 0;
  const text = new TextDecoder().decode(bytes.subarray(0, length));
  return /^process \d+ on [\w.-]+, since [\d:.TZ-]+$/.test(text) ? text : "another process";
}
