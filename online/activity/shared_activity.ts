import { z } from "zod";
import type { Database } from "../../database/database.ts";
import { readSetting, writeSetting } from "../../database/setting.ts";
import type { NewEntry } from "./activity_log.ts";
import { addEntries, withoutRepeated } from "./activity_rows.ts";

/** The number of the turn that was begun last. */
const settingName = "activity_turn";

type Transactions = Pick<Database, "queries" | "exclusively">;
type Queries = Database["queries"];

/**
 * The activity log as one of several servers writes it, in its turn: from its first call on, which it
 * makes while it leads, until that of the next one. What it has not stored by then is never stored: when
 * its process was paused, that would be behind what has happened since.
 */
export class SharedActivity {
  readonly #database: Transactions;
  readonly #leads: () => boolean;
  #turn: number | undefined;
  #beginning: Promise<number | null> | undefined;

  /** @param leads whether this server leads at this moment; no other one does then. */
  constructor(database: Transactions, leads: () => boolean) {
    this.#database = database;
    this.#leads = leads;
  }

  /**
   * Begins the turn, unless it has begun: no server of a turn before changes the activity log any more.
   *
   * @returns false: this server does not lead.
   * @throws {Error} when the database fails.
   */
  async begin(): Promise<boolean> {
    return await this.#begun() !== null;
  }

  /**
   * Adds entries, all or none. They must be in the order in which they happened.
   *
   * @returns those that are new: an entry of the log of all servers is stored once. A join of a user who
   * has not left is none, nor a leave of one who has not joined: the log may have lost what came between.
   * Null: it is not this server's turn, and nothing is stored.
   * @throws {Error} when the database fails.
   */
  async write(entries: readonly NewEntry[]): Promise<NewEntry[] | null> {
    const turn = await this.#begun();
    if (turn === null) return null;
    return await this.#database.exclusively(async (transaction) => {
      if (await lastTurn(transaction) !== turn) return null;
      const added = withoutKnown(entries, await storedOf(transaction, entries));
      const changes = await withoutRepeated(transaction, added);
      await addEntries(transaction, changes);
      return changes;
    });
  }

  #begun(): Promise<number | null> {
    if (this.#turn !== undefined) return Promise.resolve(this.#turn);
    return this.#beginning ??= this.#begin().finally(() => this.#beginning = undefined);
  }

  async #begin(): Promise<number | null> {
    while (true) {
      const last = await lastTurn(this.#database.queries);
      // One that leads later begins its turn later than this read, and then this one is not begun.
      if (!this.#leads()) return null;
      const isBegun = await this.#database.exclusively(async (transaction) => {
        if (await lastTurn(transaction) !== last) return false;
        await writeSetting(transaction, settingName, last + 1);
        return true;
      });
      if (isBegun) return this.#turn = last + 1;
    }
  }
}

/** The ids of those entries of the log of all servers that are stored. */
async function storedOf(queries: Queries, entries: readonly NewEntry[]): Promise<string[]> {
  const ids = entries.map(({ logId }) => logId).filter((id) => id !== undefined);
  if (ids.length === 0) return [];
  const rows = await queries.selectFrom("attendance").select("logId")
    .where("logId", "in", ids).execute();
  return rows.map(({ logId }) => logId!);
}

async function lastTurn(queries: Queries): Promise<number> {
  return await readSetting(queries, settingName, z.int()) ?? 0;
}

/**
 * Leaves out entries that are stored, and those before them: they were taken in the same order, and left
 * out as repeated.
 */
function withoutKnown(entries: readonly NewEntry[], stored: readonly string[]): NewEntry[] {
  const known = new Set(stored);
  const newest = stored.reduce((one, other) => isBefore(one, other) ? other : one, "0-0");
  return entries.filter(({ logId }) => {
    if (logId === undefined) return true;
    if (known.has(logId) || isBefore(logId, newest)) return false;
    known.add(logId);
    return true;
  });
}

/** Whether an id of the log of all servers, such as `1700000000000-0`, is that of an earlier entry. */
function isBefore(id: string, other: string): boolean {
  const [[at, number], [otherAt, otherNumber]] = [id, other].map((each) => each.split("-"));
  return at === otherAt ? Number(number) < Number(otherNumber) : Number(at) < Number(otherAt);
}
