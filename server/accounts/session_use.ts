import type { Database } from "../database/database.ts";
import type { SeenSession } from "./authentication.ts";
import { touchSession } from "./sessions.ts";

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
  async record({ id, updatedAt }: SeenSession, now = Date.now()): Promise<void> {
    const last = Math.max(updatedAt.getTime(), this.#attempts.get(id) ?? 0);
    if (now - last < everyMs) return;
    this.#attempts.delete(id);
    this.#attempts.set(id, now);
    const [oldest] = this.#attempts.keys();
    if (this.#attempts.size > maxSessions) this.#attempts.delete(oldest);
    await touchSession(this.#database, id, now).catch(() => {});
  }
}
