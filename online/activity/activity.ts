import type { User } from "../../accounts/accounts.ts";
import type { ActivityEntry, ActivityLog } from "./activity_log.ts";
import { accountsById, type AccountsOf } from "../accounts_by_id.ts";
import { identityOf } from "../person.ts";
import type { Activity } from "../../shared/online.ts";

/** Entries of the activity log with the current names of their users, in the same order. */
export async function activitiesOf(
  entries: readonly ActivityEntry[],
  accountsOf: AccountsOf,
): Promise<Activity[]> {
  const accounts = await accountsById(accountsOf, entries.map(({ userId }) => userId));
  return entries.map((entry) => activityOf(entry, accounts.get(entry.userId)));
}

/** An entry of the activity log with the name of its account, or of its id if it has none. */
export function activityOf(entry: ActivityEntry, account: User | undefined): Activity {
  const { at, userId: id, kind } = entry;
  const line = { at, id, kind, name: identityOf(id, account).name };
  return entry.change === "joined"
    ? { ...line, change: "joined" }
    : { ...line, change: "left", reason: entry.reason };
}

/** Lines of a ticker. */
const tickerLength = 20;

/** The latest activity, newest first: as much as a ticker shows. */
export async function recentActivity(
  log: Pick<ActivityLog, "read">,
  accountsOf: AccountsOf,
): Promise<Activity[]> {
  const { entries } = await log.read({ limit: tickerLength });
  return await activitiesOf(entries, accountsOf);
}
