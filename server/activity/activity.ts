import type { NamedUser } from "../accounts/accounts.ts";
import type { ActivityEntry, ActivityLog, NewEntry } from "./activity_log.ts";
import { accountsById, type AccountsOf, identityIn } from "../presence/identity.ts";
import { isOfOwnApp } from "@/shared/counted.ts";
import type { Activity } from "@/shared/online.ts";
import type { Database } from "../database/database.ts";
import type { LeaderTerm } from "../database/leader_term.ts";
import { addEntries, withoutRepeated } from "./activity_rows.ts";

/** Entries of the activity log with the names of their users, in the same order. */
export async function activitiesOf(
  entries: readonly ActivityEntry[],
  accountsOf: AccountsOf,
): Promise<Activity[]> {
  const accounts = await accountsById(accountsOf, entries.map(({ userId }) => userId));
  return entries.map((entry) => activityOf(entry, accounts.get(entry.userId)));
}

/** An entry with the current name of its account, or else with the one that it keeps, or its id. */
export function activityOf(entry: ActivityEntry, account: NamedUser | undefined): Activity {
  const { at, userId: id, kind } = entry;
  const isOwn = isOfOwnApp(entry.channel);
  const identity = identityIn(entry.channel, id, account);
  const name = identity.kind === "foreign" ? entry.name ?? id : identity.name;
  const line = { at, id, kind, name, ...!isOwn && { isElsewhere: true } };
  return entry.change === "joined"
    ? { ...line, change: "joined" }
    : { ...line, change: "left", reason: entry.reason };
}

/** Lines of a ticker. */
const tickerLength = 20;

/** The latest activity in a channel, newest first: as much as a ticker shows. */
export async function recentActivity(
  log: ActivityLog,
  channel: string,
  accountsOf: AccountsOf,
): Promise<Activity[]> {
  const { entries } = await log.read({ channel, limit: tickerLength });
  return await activitiesOf(entries, accountsOf);
}

type Queries = Database["queries"];

/** The activity log as one of several servers writes it, in its term. */
export class SharedActivity {
  readonly #term: LeaderTerm;

  constructor(term: LeaderTerm) {
    this.#term = term;
  }

  /**
   * Adds entries, all or none. They must be in the order in which they happened.
   *
   * @returns the new entries: an entry of the log of all servers is stored once. A join of a user who has not left
   * is not stored, nor is a leave of one who has not joined: the log may have lost what came between. Null: it is
   * not this server's term, and nothing is stored.
   * @throws {Error} when the database fails.
   */
  async write(entries: readonly NewEntry[]): Promise<NewEntry[] | null> {
    return await this.#term.within(async (transaction) => {
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
  const logIds = new Set(stored);
  const newest = stored.reduce((one, other) => isBefore(one, other) ? other : one, "0-0");
  return entries.filter(({ logId }) => {
    if (logId === undefined) return true;
    if (logIds.has(logId) || isBefore(logId, newest)) return false;
    logIds.add(logId);
    return true;
  });
}

/** Whether an id of the log of all servers, such as `1700000000000-0`, is the id of an earlier entry. */
function isBefore(id: string, other: string): boolean {
  const [[at, number], [otherAt, otherNumber]] = [id, other].map((each) => each.split("-"));
  return at === otherAt ? Number(number) < Number(otherNumber) : Number(at) < Number(otherAt);
}
