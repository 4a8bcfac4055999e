import { type Kysely, type RawBuilder, sql } from "kysely";
import { z } from "zod";
import { idBatches } from "../database/cursor.ts";
import type { Database } from "../database/database.ts";
import type { Tables } from "../database/schema.ts";
import type { SeenSession } from "./authentication.ts";
import type { App } from "@/realtime/server.ts";
import type { Accounts } from "./accounts.ts";
import { type Clock, systemClock } from "@/realtime/timing/clock.ts";
import { closeCodes } from "@/realtime/protocol/close_codes.ts";

/**
 * Whether a session has shown what its user needs by now: a second factor, or a provider's word for the person, once
 * the user has set a second factor up, or everyone needs one. The session in which it was set up has.
 *
 * @param isRequired whether everyone needs one.
 */
function hasShownEnough(isRequired: boolean): RawBuilder<boolean> {
  if (isRequired) return sql<boolean>`("session"."vouchedBy" is not null)`;
  return sql<boolean>`("session"."vouchedBy" is not null or not exists (
    select 1 from "oneTimeCode" where "oneTimeCode"."userId" = "session"."userId"
    union all select 1 from "passkey" where "passkey"."userId" = "session"."userId"))`;
}

/** The sessions that are valid now: all that look for one begin here. */
export function validSessions(queries: Kysely<Tables>, isRequired: boolean) {
  return queries.selectFrom("session").where("session.expiresAt", ">", new Date())
    .where(hasShownEnough(isRequired));
}

/** Sessions that are listed; a program may open any number. */
const mostSessions = 100;

const rowSchema = z.object({ id: z.string() });

/** The ids of these sessions that have ended or expired, or have not shown what their user needs by now. */
export async function endedSessions(
  { queries }: Database,
  ids: readonly string[],
  isRequired = false,
): Promise<string[]> {
  const open = new Set<string>();
  for (const batch of idBatches(ids)) {
    const rows = await validSessions(queries, isRequired).select("id").where("id", "in", batch)
      .execute();
    for (const row of rows) open.add(rowSchema.parse(row).id);
  }
  return ids.filter((id) => !open.has(id));
}

/** An open session of a user. Times are in ms since 1970. */
export interface OpenSession {
  id: string;
  signedInAt: number;
  /** To the minute. */
  lastSeenAt: number;
  /** What the browser stated of itself; empty if it is not known. */
  userAgent: string;
  /** The address or network that the user signed in from; empty if it is not known. */
  address: string;
}

const openSchema = z.object({
  id: z.string(),
  createdAt: z.coerce.date(),
  updatedAt: z.coerce.date(),
  userAgent: z.string().nullable(),
  ipAddress: z.string().nullable(),
}).transform(({ id, createdAt, updatedAt, userAgent, ipAddress }): OpenSession => ({
  id,
  signedInAt: createdAt.getTime(),
  lastSeenAt: updatedAt.getTime(),
  userAgent: userAgent ?? "",
  address: ipAddress ?? "",
}));

/** The open sessions of a user, those seen last first. */
export async function openSessions(
  { queries }: Database,
  userId: string,
  isRequired = false,
): Promise<OpenSession[]> {
  const rows = await validSessions(queries, isRequired).selectAll().where("userId", "=", userId)
    .orderBy("updatedAt", "desc").orderBy("id").limit(mostSessions).execute();
  return rows.map((row) => openSchema.parse(row));
}

/** Ends a session of a user. @returns whether the user had it. */
export async function endSession(
  { queries }: Database,
  userId: string,
  id: string,
): Promise<boolean> {
  const row = await queries.deleteFrom("session").where("id", "=", id)
    .where("userId", "=", userId).returning("id").executeTakeFirst();
  return row !== undefined;
}

/** Ends all sessions of a user. */
export async function endSessions(queries: Kysely<Tables>, userId: string): Promise<void> {
  await queries.deleteFrom("session").where("userId", "=", userId).execute();
}

/** Ends all sessions of a user but one. @returns the ids of the ended sessions. */
export async function endOtherSessions(
  queries: Kysely<Tables>,
  userId: string,
  keptId: string,
): Promise<string[]> {
  const rows = await queries.deleteFrom("session").where("userId", "=", userId)
    .where("id", "!=", keptId).returning("id").execute();
  return rows.map((row) => rowSchema.parse(row).id);
}

/** Stores when a session was last used. */
async function touchSession({ queries }: Database, id: string, at: number): Promise<void> {
  await queries.updateTable("session").set({ updatedAt: new Date(at) }).where("id", "=", id)
    .execute();
}

/** Whether the account has an open session from this peer. */
export async function hasSessionFrom(
  queries: Kysely<Tables>,
  email: string,
  peer: string,
  isRequired = false,
): Promise<boolean> {
  const session = await validSessions(queries, isRequired)
    .innerJoin("user", "user.id", "session.userId")
    .select("session.id")
    .where("user.email", "=", email)
    .where("session.ipAddress", "=", peer)
    .limit(1).executeTakeFirst();
  return session !== undefined;
}

/** How often the use of a session is stored, in ms. */
const everyMs = 60_000;

/** Sessions whose last attempt to store is remembered. */
const maxSessions = 10_000;

/** Stores when each session was last used, to the minute. */
export class SessionUse {
  readonly #database: Database;
  /** When an attempt was made, by session: a database that cannot be written is not asked at each use. */
  readonly #attempts = new Map<string, number>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** Stores a use of a session, unless one was just stored. Never rejects: reading goes on without it. */
  async record(
    { id, updatedAt }: SeenSession,
    now = Date.now(),
  ): Promise<void> {
    const last = Math.max(updatedAt.getTime(), this.#attempts.get(id) ?? 0);
    if (now - last < everyMs) return;
    this.#attempts.delete(id);
    this.#attempts.set(id, now);
    const [oldest] = this.#attempts.keys();
    if (this.#attempts.size > maxSessions) this.#attempts.delete(oldest);
    await touchSession(this.#database, id, now).catch(() => {});
  }
}

/**
 * How often it looks, in milliseconds. Connections can outlive a session that ended elsewhere for twice as long.
 */
const intervalMs = 2_500;

/**
 * Closes the connections of sessions that another process ended: the command line, or a change of the
 * database. A session that an action of this program ends is left to that action, which says why and reaches
 * this server a moment after the database: only a session that had ended at the look before is closed.
 * Never throws and never rejects.
 */
export class SessionWatch {
  readonly #accounts: Accounts;
  readonly #ownApp: () => App;
  readonly #failed: (error: unknown) => void;
  readonly #clock: Clock;
  #cancel = () => {};
  #checking: Promise<void> = Promise.resolve();
  #stopped = false;
  /** The sessions that had ended at the last look. */
  #ended: ReadonlySet<string> = new Set();

  /**
   * @param ownApp the app of the pages.
   * @param failed called when the sessions cannot be read; the next attempt is seconds later.
   */
  constructor(
    accounts: Accounts,
    ownApp: () => App,
    failed: (error: unknown) => void,
    clock: Clock = systemClock,
  ) {
    this.#accounts = accounts;
    this.#ownApp = ownApp;
    this.#failed = failed;
    this.#clock = clock;
    this.#schedule();
  }

  /** Checks no more. Resolves when a check that has begun has ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel();
    await this.#checking;
  }

  #schedule(): void {
    this.#cancel = this.#clock.after(intervalMs, () => {
      this.#checking = this.#check();
    });
  }

  async #check(): Promise<void> {
    try {
      const ended = await this.#accounts.endedSessions([
        ...this.#ownApp().connections.sessionIds(),
      ]);
      const closing = { code: closeCodes.reconnect, reason: "Sign in again" };
      for (const id of ended) {
        if (!this.#ended.has(id)) continue;
        this.#ownApp().connections.closeSession(id, { ...closing, cause: "signed_out" });
      }
      this.#ended = new Set(ended);
    } catch (error) {
      this.#failed(error);
    }
    if (!this.#stopped) this.#schedule();
  }
}
