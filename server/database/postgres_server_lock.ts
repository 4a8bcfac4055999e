import { hostname } from "node:os";
import pg from "pg";
import { DatabaseInUse } from "./unavailable.ts";
import type { LockWait } from "./server_lock.ts";

/** An arbitrary number that no other program in the same PostgreSQL database uses. */
const lockKey = 7_655_252;

/** PostgreSQL cuts longer names of applications, in bytes. */
const maxNameBytes = 63;

/** How long a session may take to release its locks after it was ended, in ms. */
const endTimeoutMs = 5_000;

/** A session that has the lock of the server. */
interface Holder {
  pid: number;
  name: string;
  /** Whether other servers may have the lock too. */
  isShared: boolean;
  /** When it began; PostgreSQL shows that to the same user only. */
  since: Date | null;
}

/** The name of this process's sessions in PostgreSQL. */
function ownSessionName(): string {
  return `process ${Deno.pid} on ${hostname()}`.slice(0, maxNameBytes);
}

/**
 * Takes the lock for a session, if no other one keeps it from that.
 *
 * @returns undefined when the session has it now, or else the sessions that have it. There are none when
 * the last of them has ended meanwhile, or when another session is next in the queue: then try again.
 */
async function tryToLock(
  client: pg.Client,
  isShared: boolean,
): Promise<Holder[] | undefined> {
  const lock = isShared ? "pg_try_advisory_lock_shared" : "pg_try_advisory_lock";
  const { rows: [{ taken }] } = await client.query(`select ${lock}($1) as taken`, [lockKey]);
  if (taken) return undefined;
  const holders = await holdersOf(client);
  return isShared ? holders.filter((holder) => !holder.isShared) : holders;
}

/** Puts a session into the queue for the lock, for itself alone. Resolves when it has it. */
async function queueForLock(client: pg.Client): Promise<void> {
  await client.query("select pg_advisory_lock($1)", [lockKey]);
}

/** The sessions that have the lock, the oldest first. */
async function holdersOf(client: pg.Client): Promise<Holder[]> {
  return (await client.query(holdersQuery, [lockKey])).rows;
}

const holdersQuery = `
  select activity.pid, application_name as name, backend_start as since,
    mode = 'ShareLock' as "isShared"
  from pg_locks join pg_stat_activity activity using (pid)
  where locktype = 'advisory' and granted and objsubid = 1 and classid = 0 and objid = $1
    and database = (select oid from pg_database where datname = current_database())
  order by backend_start, activity.pid`;

/** Who has the lock, for people. */
function describeHolders(holders: readonly Holder[]): string {
  if (holders.length === 0) return "another process";
  const [first, ...others] = holders;
  if (others.length === 0) return describe(first);
  return `${describe(first)}, and ${others.length} more`;
}

function describe({ name, since }: Holder): string {
  const isKnown = /^process \d+ on [\w.-]+$/.test(name) && since !== null;
  return isKnown ? `${name}, since ${since.toISOString()}` : "another process";
}

/** @returns why a server, with or without Redis, cannot have the lock. */
function lockInUse(holders: readonly Holder[], isShared: boolean): DatabaseInUse {
  const who = describeHolders(holders);
  const isSharedByOthers = holders.some((holder) => holder.isShared);
  if (isSharedByOthers) {
    return new DatabaseInUse(
      `The database at DATABASE_URL is in use by servers with REDIS_URL: ${who}; ` +
        "stop them first, or set REDIS_URL here too",
    );
  }
  const without = isShared && holders.length > 0 ? "a server without REDIS_URL: " : "";
  return new DatabaseInUse(
    `The database at DATABASE_URL is in use by ${without}${who}; stop that first`,
  );
}

/** Ends another session of the same user, and waits until it has released its locks. */
async function endSession(client: pg.Client, pid: number): Promise<void> {
  await client.query("select pg_terminate_backend($1)", [pid]);
  const isThere = "select 1 from pg_locks where locktype = 'advisory' and pid = $1";
  const giveUpAt = performance.now() + endTimeoutMs;
  while ((await client.query(isThere, [pid])).rows.length > 0 && performance.now() < giveUpAt) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const pollMs = 250;

/**
 * How long to try again when the lock is taken and no session has it, in ms: the last one has just ended,
 * or another one is next in the queue.
 */
const unknownHolderMs = 5_000;

/** How old the knowledge that the connection works may become, in ms. */
const checkEveryMs = 10_000;

/** How long a connection attempt or a statement on the lock's connection may take, in ms. */
const timeoutMs = 5_000;

/**
 * Lets one process at a time be the server on a PostgreSQL database, or else several that all share it.
 * The lock belongs to a connection of its own: PostgreSQL releases it when that ends, also after a kill.
 *
 * When the connection is lost, the lock may go to another server. So whatever uses the database first calls
 * {@link ensure}, which takes a lost lock again or throws; only what was sent before the loss was noticed may still be
 * done. Once a server that keeps this one out has the lock, it is never taken again.
 */
export class PostgresServerLock {
  readonly #databaseUrl: string;
  readonly #isShared: boolean;
  readonly #onLost: (holder: string) => void;
  /** Undefined while the lock is lost. */
  #client: pg.Client | undefined;
  /** The sessions of this process that may have the lock, although their connection may be lost. */
  #ownPids = new Set<number>();
  #retaking: Promise<void> | undefined;
  #checkedAt = 0;
  #lost: DatabaseInUse | undefined;
  #closed = false;

  private constructor(databaseUrl: string, { isShared = false, onLost = () => {} }: LockWait) {
    this.#databaseUrl = databaseUrl;
    this.#isShared = isShared;
    this.#onLost = onLost;
  }

  /**
   * Takes the lock.
   *
   * @throws {DatabaseInUse} with a description of the process that has the lock, when time is over.
   * @throws {Error} when the database is unreachable.
   */
  static async take(databaseUrl: string, wait: LockWait = {}): Promise<PostgresServerLock> {
    const lock = new PostgresServerLock(databaseUrl, wait);
    const client = await lock.#connect();
    try {
      const holders = await lock.#wait(client, wait);
      if (holders) {
        if (!wait.takesOver || !lock.#mayEnd(holders)) throw lockInUse(holders, lock.#isShared);
        await lock.#takeOver(client);
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

  /** @returns undefined when the session has the lock, or the sessions that still have it in the end. */
  async #wait(
    client: pg.Client,
    { timeoutMs = 0, onWait }: LockWait,
  ): Promise<Holder[] | undefined> {
    const start = performance.now();
    let isAnnounced = false;
    while (true) {
      const holders = await tryToLock(client, this.#isShared);
      if (!holders) return undefined;
      const isKnown = holders.length > 0;
      const limitMs = isKnown ? timeoutMs : Math.max(timeoutMs, unknownHolderMs);
      if (performance.now() - start >= limitMs) return holders;
      if (isKnown && !isAnnounced) {
        isAnnounced = true;
        onWait?.(describeHolders(holders));
      }
      await pause();
    }
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
      application_name: ownSessionName(),
      connectionTimeoutMillis: timeoutMs,
      query_timeout: timeoutMs,
      keepAlive: true,
    });
    // Without a listener, a lost connection would end the process.
    client.on("error", () => {});
    await client.connect();
    return client;
  }

  /** Whether to end these sessions is for a single server that replaces a single one. */
  #mayEnd(holders: Holder[]): boolean {
    return !this.#isShared && holders.every(({ isShared }) => !isShared);
  }

  /** Ends the session that has the lock while this one is next in the queue for it. */
  async #takeOver(client: pg.Client): Promise<void> {
    let isOver = false;
    const queued = queueForLock(client);
    const settled = queued.then(() => {}, () => {}).finally(() => isOver = true);
    const other = await this.#connect();
    try {
      while (!isOver) {
        const holders = (await holdersOf(other)).filter(({ pid }) => pid !== client.processID);
        if (!this.#mayEnd(holders)) {
          // The queue would keep out servers that share the lock.
          await endSession(other, client.processID!);
          throw lockInUse(holders, this.#isShared);
        }
        for (const { pid } of holders) await endSession(other, pid);
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
    this.#ownPids = new Set([client.processID!]);
    client.once("end", () => {
      if (this.#client === client) this.#client = undefined;
      // Takes it again before another server can. The next queries make later attempts.
      if (!this.#closed) this.ensure().catch(() => {});
    });
  }

  async #retake(): Promise<void> {
    const client = await this.#connect();
    this.#ownPids.add(client.processID!);
    try {
      await this.#lockAgain(client);
      if (this.#isShared) await this.#endOwnBefore(client);
      if (this.#closed) throw new Error("The lock was closed");
    } catch (error) {
      await client.end().catch(() => {});
      throw error;
    }
    this.#keep(client);
  }

  /** @throws {DatabaseInUse} when a session of another process has the lock. */
  async #lockAgain(client: pg.Client): Promise<void> {
    const giveUpAt = performance.now() + unknownHolderMs;
    while (true) {
      const holders = await tryToLock(client, this.#isShared);
      if (!holders) return;
      const others = holders.filter((holder) => !this.#isOwn(holder));
      if (others.length > 0) {
        this.#lost = lockInUse(others, this.#isShared);
        this.#onLost(describeHolders(others));
        throw this.#lost;
      }
      if (this.#closed) return;
      if (performance.now() >= giveUpAt) throw new Error("timeout: the lock was not released");
      // PostgreSQL may not have noticed yet that an old connection is gone.
      for (const { pid } of holders) await endSession(client, pid);
      if (holders.length === 0) await pause();
    }
  }

  /**
   * PostgreSQL may not notice for hours that an old connection is gone, and its session would keep a
   * single server out after this one has ended.
   */
  async #endOwnBefore(client: pg.Client): Promise<void> {
    const own = (await holdersOf(client)).filter((holder) => this.#isOwn(holder));
    for (const { pid } of own) if (pid !== client.processID) await endSession(client, pid);
  }

  #isOwn({ pid, name }: Holder): boolean {
    return this.#ownPids.has(pid) && name === ownSessionName();
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, pollMs));
}

/** Resolves when something has ended, at the latest after some milliseconds. */
async function endedOr(end: Promise<void>, ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await Promise.race([end, promise]);
  clearTimeout(timer);
}
