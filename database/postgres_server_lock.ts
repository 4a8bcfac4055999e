import { hostname } from "node:os";
import pg from "pg";
import { DatabaseInUse } from "./database_error.ts";
import type { LockWait } from "./server_lock.ts";

/** An arbitrary number that no other program in the same PostgreSQL database uses. */
const lockKey = 7_655_252;

const pollMs = 250;

/** PostgreSQL cuts longer names of applications, in bytes. */
const maxNameBytes = 63;

/** How old the knowledge that the connection works may become, in ms. */
const checkEveryMs = 10_000;

/** How long a connection attempt or a statement on the lock's connection may take, in ms. */
const timeoutMs = 5_000;

/** The session that has the lock. */
interface Holder {
  pid: number;
  name: string;
  description: string;
}

/**
 * Lets one process at a time be the server on a PostgreSQL database. The lock belongs to a connection of
 * its own: PostgreSQL releases it when that ends, also after a kill.
 *
 * When the connection is lost, the lock may go to another server. So whatever uses the database calls
 * {@link ensure} before, which takes a lost lock again or throws; only what was sent before the loss was
 * noticed may still be done. Once another server has the lock, it is never taken again.
 */
export class PostgresServerLock {
  readonly #databaseUrl: string;
  readonly #onLost: (holder: string) => void;
  /** Undefined while the lock is lost. */
  #client: pg.Client | undefined;
  /** The session of {@link #client}, also after it is lost. */
  #ownPid: number | undefined;
  #retaking: Promise<void> | undefined;
  #checkedAt = 0;
  #lost: DatabaseInUse | undefined;
  #closed = false;

  private constructor(databaseUrl: string, onLost: (holder: string) => void) {
    this.#databaseUrl = databaseUrl;
    this.#onLost = onLost;
  }

  /**
   * Takes the lock.
   *
   * @throws {DatabaseInUse} with a description of the process that has the lock, when time is over.
   * @throws {Error} when the database is unreachable.
   */
  static async take(databaseUrl: string, wait: LockWait = {}): Promise<PostgresServerLock> {
    const { timeoutMs = 0, onWait, takesOver, onLost = () => {} } = wait;
    const lock = new PostgresServerLock(databaseUrl, onLost);
    const client = await lock.#connect();
    try {
      const giveUpAt = performance.now() + timeoutMs;
      for (let isFirst = true;; isFirst = false) {
        const holder = await tryToLock(client);
        if (!holder) break;
        if (performance.now() >= giveUpAt) {
          if (!takesOver) throw inUse(holder);
          await lock.#takeOver(client);
          break;
        }
        if (isFirst) onWait?.(holder.description);
        await new Promise((resolve) => setTimeout(resolve, pollMs));
      }
    } catch (error) {
      lock.#closed = true;
      await client.end().catch(() => {});
      throw error;
    }
    lock.#keep(client);
    return lock;
  }

  /**
   * Resolves at once while this process has the lock, or after it has taken it again.
   *
   * @throws {DatabaseInUse} when another server has it.
   * @throws {Error} when the database is unreachable.
   */
  async ensure(): Promise<void> {
    if (this.#client) return this.#check(this.#client);
    if (this.#lost) throw this.#lost;
    await (this.#retaking ??= this.#retake().finally(() => this.#retaking = undefined));
  }

  /** Releases the lock. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#retaking?.catch(() => {});
    await this.#client?.end().catch(() => {});
    this.#client = undefined;
  }

  /** Lets go of a connection that is silently dead, within seconds and without a wait. */
  #check(client: pg.Client): void {
    if (performance.now() - this.#checkedAt < checkEveryMs) return;
    this.#checkedAt = performance.now();
    client.query("select 1").catch(() => client.end()).catch(() => {});
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: this.#databaseUrl,
      application_name: ownName(),
      connectionTimeoutMillis: timeoutMs,
      query_timeout: timeoutMs,
      keepAlive: true,
    });
    // Without a listener, a lost connection would end the process.
    client.on("error", () => {});
    await client.connect();
    return client;
  }

  /** Ends the session that has the lock while this one is next in the queue for it. */
  async #takeOver(client: pg.Client): Promise<void> {
    let isOver = false;
    const queued = client.query("select pg_advisory_lock($1)", [lockKey]);
    const settled = queued.then(() => {}, () => {}).finally(() => isOver = true);
    const other = await this.#connect();
    try {
      while (!isOver) {
        const holder = await holderOf(other);
        if (holder && holder.pid !== client.processID) await endSession(other, holder.pid);
        await endedOr(settled, pollMs);
      }
      await queued;
    } finally {
      await other.end();
    }
  }

  #keep(client: pg.Client): void {
    this.#client = client;
    this.#checkedAt = performance.now();
    this.#ownPid = client.processID ?? undefined;
    client.once("end", () => {
      if (this.#client === client) this.#client = undefined;
      // Takes it again before another server can. Later attempts are those of the next queries.
      if (!this.#closed) this.ensure().catch(() => {});
    });
  }

  async #retake(): Promise<void> {
    const client = await this.#connect();
    try {
      let holder = await tryToLock(client);
      // PostgreSQL may not have noticed yet that the old connection is gone.
      if (holder && holder.pid === this.#ownPid && holder.name === ownName()) {
        await endSession(client, holder.pid);
        holder = await tryToLock(client);
      }
      if (holder) {
        this.#lost = inUse(holder);
        this.#onLost(holder.description);
        throw this.#lost;
      }
      if (this.#closed) throw new Error("The lock was closed");
    } catch (error) {
      await client.end().catch(() => {});
      throw error;
    }
    this.#keep(client);
  }
}

/** @returns who has the lock, or null if this session has it now. */
async function tryToLock(client: pg.Client): Promise<Holder | null> {
  const { rows: [{ taken }] } = await client.query("select pg_try_advisory_lock($1) as taken", [
    lockKey,
  ]);
  if (taken) return null;
  return await holderOf(client) ?? { pid: 0, name: "", description: "another process" };
}

/** Who has the lock; null when it is free. */
async function holderOf(client: pg.Client): Promise<Holder | null> {
  const { rows: [row] } = await client.query(holderQuery, [lockKey]);
  if (!row) return null;
  const { pid, name, since } = row;
  const isKnown = /^process \d+ on [\w.-]+$/.test(name) && since instanceof Date;
  const description = isKnown ? `${name}, since ${since.toISOString()}` : "another process";
  return { pid, name, description };
}

const holderQuery = `
  select activity.pid, application_name as name, backend_start as since
  from pg_locks join pg_stat_activity activity using (pid)
  where locktype = 'advisory' and granted and objsubid = 1 and classid = 0 and objid = $1
    and database = (select oid from pg_database where datname = current_database())`;

/** Ends another session of the same user, and waits until it has released its locks. */
async function endSession(client: pg.Client, pid: number): Promise<void> {
  await client.query("select pg_terminate_backend($1)", [pid]);
  const isThere = "select 1 from pg_locks where locktype = 'advisory' and pid = $1";
  const giveUpAt = performance.now() + timeoutMs;
  while ((await client.query(isThere, [pid])).rows.length > 0 && performance.now() < giveUpAt) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Resolves when something has ended, at the latest after some milliseconds. */
async function endedOr(end: Promise<void>, ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await Promise.race([end, promise]);
  clearTimeout(timer);
}

function ownName(): string {
  return `process ${Deno.pid} on ${hostname()}`.slice(0, maxNameBytes);
}

function inUse({ description }: Holder): DatabaseInUse {
  return new DatabaseInUse(
    `The database at DATABASE_URL is in use by ${description}; stop that first`,
  );
}
