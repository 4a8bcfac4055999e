import { hostname } from "node:os";
import type pg from "pg";
import { DatabaseInUse } from "./database_error.ts";

/** An arbitrary number that no other program in the same PostgreSQL database uses. */
const lockKey = 7_655_252;

/** PostgreSQL cuts longer names of applications, in bytes. */
const maxNameBytes = 63;

/** How long a session may take to release its locks after it was ended, in ms. */
const endTimeoutMs = 5_000;

/** A session that has the lock of the server. */
export interface Holder {
  pid: number;
  name: string;
  /** Whether other servers may have the lock too. */
  isShared: boolean;
  /** When it began; PostgreSQL shows that to the same user only. */
  since: Date | null;
}

/** The name of this process's sessions in PostgreSQL. */
export function ownSessionName(): string {
  return `process ${Deno.pid} on ${hostname()}`.slice(0, maxNameBytes);
}

/**
 * Takes the lock for a session, if no other one keeps it from that.
 *
 * @returns undefined when the session has it now, or else the sessions that have it. There are none when
 * the last of them has ended meanwhile, or when another session is next in the queue: then try again.
 */
export async function tryToLock(
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
export async function queueForLock(client: pg.Client): Promise<void> {
  await client.query("select pg_advisory_lock($1)", [lockKey]);
}

/** The sessions that have the lock, the oldest first. */
export async function holdersOf(client: pg.Client): Promise<Holder[]> {
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
export function describeHolders(holders: readonly Holder[]): string {
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
export function lockInUse(holders: readonly Holder[], isShared: boolean): DatabaseInUse {
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
export async function endSession(client: pg.Client, pid: number): Promise<void> {
  await client.query("select pg_terminate_backend($1)", [pid]);
  const isThere = "select 1 from pg_locks where locktype = 'advisory' and pid = $1";
  const giveUpAt = performance.now() + endTimeoutMs;
  while ((await client.query(isThere, [pid])).rows.length > 0 && performance.now() < giveUpAt) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
