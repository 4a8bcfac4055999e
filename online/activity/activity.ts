import type { User } from "../../accounts/accounts.ts";
import type { ActivityEntry, ActivityLog } from "./activity_log.ts";
import { identityOf } from "../person.ts";
import type { Activity } from "../../shared/online.ts";

/** Finds the accounts among some ids. */
export type AccountsOf = (ids: readonly string[]) => Promise<User[]>;

/** Entries of the attendance log with the names that their users have now, in the same order. */
export async function activitiesOf(
  entries: readonly ActivityEntry[],
  accountsOf: AccountsOf,
): Promise<Activity[]> {
  const accounts = await accountsOf([...new Set(entries.map(({ userId }) => userId))]);
  const byId = new Map(accounts.map((account) => [account.id, account]));
  return entries.map((entry) => activityOf(entry, byId.get(entry.userId)));
}

/** An entry of the attendance log with the name of its account, if there is one. */
export function activityOf(entry: ActivityEntry, account: User | undefined): Activity {
  const { at, userId: id, kind } = entry;
  const line = { at, id, kind, name: identityOf(id, account).name };
  return entry.change === "joined"
    ? { ...line, change: "joined" }
    : { ...line, change: "left", reason: entry.reason };
}

/** Lines of a ticker. */
const tickerLength = 20;

/** Who came and went last, newest first: as many as a ticker has lines. */
export async function recentActivity(
  log: Pick<ActivityLog, "read">,
  accountsOf: AccountsOf,
): Promise<Activity[]> {
  const { entries } = await log.read({ limit: tickerLength });
  return await activitiesOf(entries, accountsOf);
}
