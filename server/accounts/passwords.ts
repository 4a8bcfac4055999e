import type { Kysely } from "kysely";
import { deleteLinksFor } from "./account_links.ts";
import type { Tables } from "../database/schema.ts";
import { endSessions } from "./sessions.ts";
import { ConcurrencyLimit } from "../net/window_limits.ts";

/** better-auth's name for accounts with a password. */
export const passwordProvider = "credential";

/** Stores the hash of a new password, ends all sessions of the user, and deletes the link to reset it. */
export async function setPassword(
  transaction: Kysely<Tables>,
  id: string,
  passwordHash: string,
): Promise<void> {
  await storePassword(transaction, id, passwordHash);
  await endSessions(transaction, id);
}

/** Stores the hash of a new password, and deletes the link to reset it. */
export async function storePassword(
  transaction: Kysely<Tables>,
  id: string,
  passwordHash: string,
): Promise<void> {
  await transaction.updateTable("account")
    .set({ password: passwordHash, updatedAt: new Date() })
    .where("userId", "=", id).where("providerId", "=", passwordProvider)
    .execute();
  await deleteLinksFor(transaction, { userId: id });
}

/** The hash of a user's password; null when there is none. */
export async function passwordHashOf(queries: Kysely<Tables>, id: string): Promise<string | null> {
  const row = await queries.selectFrom("account").select("password")
    .where("userId", "=", id).where("providerId", "=", passwordProvider).executeTakeFirst();
  return row?.password ?? null;
}

/** Whether a user signs in with a password, so that a second factor would be asked for. */
export async function hasPassword(queries: Kysely<Tables>, id: string): Promise<boolean> {
  return await passwordHashOf(queries, id) !== null;
}

/**
 * How many passwords are hashed at the same time. Each takes 32 MB, and 0.1 s or more of a core, of which
 * one is left to everything else.
 */
const maxRunning = Math.max(1, Math.min(3, navigator.hardwareConcurrency - 1));

/** Who causes work. They take turns, so that none waits for all work of another. */
const causes = ["known_device", "stranger", "own_change", "admin"] as const;

/** One of the causes of work: a browser that has signed in to the account before, for example. */
export type WorkCause = typeof causes[number];

/** How much may run and wait: each cause has room of its own, which the others cannot use up. */
const room: Record<WorkCause, { max: number; maxPerClient: number }> = {
  known_device: { max: 12, maxPerClient: 4 },
  stranger: { max: 32, maxPerClient: 12 },
  own_change: { max: 6, maxPerClient: 1 },
  admin: { max: 12, maxPerClient: 12 },
};

/** Bounds the work that passwords cause: little of it runs at the same time, and little waits. */
export class PasswordWork {
  readonly #admissions = byCause((cause) =>
    new ConcurrencyLimit({ ...room[cause], retryAfterSeconds: 5 })
  );
  readonly #waiting = byCause((): (() => void)[] => []);
  readonly #maxRunning: number;
  /** Whose turn it is, the next one first. */
  #turns: readonly WorkCause[] = causes;
  #running = 0;

  constructor({ maxRunning: most = maxRunning }: { maxRunning?: number } = {}) {
    this.#maxRunning = most;
  }

  /**
   * Runs work that hashes a password when it is its turn.
   *
   * @param client who causes it; some of the room is left to others.
   * @throws {BusyError} when too much work of this cause runs or waits, in all or of this client.
   */
  run<Value>(
    client: string,
    work: () => Promise<Value>,
    cause: WorkCause = "stranger",
  ): Promise<Value> {
    return this.#admissions[cause].run(client, async () => {
      if (this.#running < this.#maxRunning) this.#running++;
      else await new Promise<void>((resolve) => this.#waiting[cause].push(resolve));
      try {
        return await work();
      } finally {
        const next = this.#takeNext();
        if (next) next();
        else this.#running--;
      }
    });
  }

  /** The work that has waited longest, of the cause whose turn it is. */
  #takeNext(): (() => void) | undefined {
    const cause = this.#turns.find((cause) => this.#waiting[cause].length > 0);
    if (cause === undefined) return undefined;
    this.#turns = [...this.#turns.filter((other) => other !== cause), cause];
    return this.#waiting[cause].shift();
  }
}

function byCause<Value>(make: (cause: WorkCause) => Value): Record<WorkCause, Value> {
  return Object.fromEntries(causes.map((cause) => [cause, make(cause)])) as Record<
    WorkCause,
    Value
  >;
}
