import { z } from "zod";
import type { Transaction } from "kysely";
import type { Database } from "./database.ts";
import type { Tables } from "./schema.ts";
import { readSetting, writeSetting } from "./stored_setting.ts";

/** The number of the term that was begun last. */
const settingName = "lead_turn";

/**
 * The terms of several servers that share a database, of which one is the leader at a time. A server has its term
 * from its beginning until another server's begins. What it has not stored by then is never stored: when its
 * process was paused, that would be behind what has happened since.
 */
export class LeaderTerm {
  readonly #database: Database;
  /** The last term of this server. */
  #number: number | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Begins a term: no server stores anything more in a term before, {@link within} that.
   *
   * @param isLeader whether this server is the leader at this moment; no other one does then.
   * @returns false: it does not.
   * @throws {Error} when the database fails.
   */
  async begin(isLeader: () => boolean): Promise<boolean> {
    while (true) {
      const last = await lastTerm(this.#database.queries);
      // A later leader begins its term after this reading, and then this one is not begun.
      if (!isLeader()) return false;
      const isBegun = await this.#database.exclusively(async (transaction) => {
        if (await lastTerm(transaction) !== last) return false;
        await writeSetting(transaction, settingName, last + 1);
        return true;
      });
      if (!isBegun) continue;
      this.#number = last + 1;
      return true;
    }
  }

  /**
   * Runs `work` in a transaction, alone as with {@link Database.exclusively}, if it is this server's term.
   *
   * @returns null: it is not, and nothing was done.
   * @throws {Error} when the database or `work` fails.
   */
  async within<Value>(
    work: (transaction: Transaction<Tables>) => Promise<Value>,
  ): Promise<Value | null> {
    const number = this.#number;
    return await this.#database.exclusively(async (transaction) =>
      await lastTerm(transaction) === number ? await work(transaction) : null
    );
  }
}

async function lastTerm(queries: Database["queries"]): Promise<number> {
  return await readSetting(queries, settingName, z.int()) ?? 0;
}
