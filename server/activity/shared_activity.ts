import type { Database } from "../database/database.ts";
import type { LeadTurn } from "../database/lead_turn.ts";
import type { NewEntry } from "./activity_log.ts";
import { addEntries, withoutRepeated } from "./activity_rows.ts";

type Queries = Database["queries"];

/** The activity log as one of several servers writes it, in its turn. */
export class SharedActivity {
  readonly #turn: Pick<LeadTurn, "within">;

  constructor(turn: Pick<LeadTurn, "within">) {
    this.#turn = turn;
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
    return await this.#turn.within(async (transaction) => {
      const added = withoutKnown(entries, await storedOf(transaction, entries));
      const changes = await withoutRepeated(transaction, added);
      await addEntries(transaction, changes);
      return changes;
    });
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
