import { z } from "zod";
import type { Transaction } from "kysely";
import type { Database } from "./database.ts";
import type { Tables } from "./schema.ts";
import { readSetting, writeSetting } from "./stored_setting.ts";

/** The number of the turn that was begun last. */
const settingName = "lead_turn";

/**
 * The turns of several servers that share a database, of which one leads at a time. A server has its turn
 * from its beginning until that of another one. What it has not stored by then is never stored: when its
 * process was paused, that would be behind what has happened since.
 */
export class LeadTurn {
  readonly #database: Pick<Database, "queries" | "exclusively">;
  /** That of this server which was begun last. */
  #number: number | undefined;

  constructor(database: Pick<Database, "queries" | "exclusively">) {
    this.#database = database;
  }

  /**
   * Begins a turn: no server stores anything more in a turn before, {@link within} that.
   *
   * @param leads whether this server leads at this moment; no other one does then.
   * @returns false: it does not.
   * @throws {Error} when the database fails.
   */
  async begin(leads: () => boolean): Promise<boolean> {
    while (true) {
      const last = await lastTurn(this.#database.queries);
      // A server that leads later begins its turn after this reading, and then this one is not begun.
      if (!leads()) return false;
      const isBegun = await this.#database.exclusively(async (transaction) => {
        if (await lastTurn(transaction) !== last) return false;
        await writeSetting(transaction, settingName, last + 1);
        return true;
      });
      if (!isBegun) continue;
      this.#number = last + 1;
      return true;
    }
  }

  /**
   * Runs `work` in a transaction, alone as with {@link Database.exclusively}, if it is this server's turn.
   *
   * @returns null: it is not, and nothing was done.
   * @throws {Error} when the database or `work` fails.
   */
  async within<Value>(
    work: (transaction: Transaction<Tables>) => Promise<Value>,
  ): Promise<Value | null> {
    const number = this.#number;
    return await this.#database.exclusively(async (transaction) =>
      await lastTurn(transaction) === number ? await work(transaction) : null
    );
  }
}

async function lastTurn(queries: Database["queries"]): Promise<number> {
  return await readSetting(queries, settingName, z.int()) ?? 0;
}
