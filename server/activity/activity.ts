import type { NamedUser } from "../accounts/accounts.ts";
import type { ActivityEntry, ActivityLog } from "./activity_log.ts";
import { accountsById, type AccountsOf } from "../presence/accounts_by_id.ts";
import { identityIn } from "../presence/person.ts";
import { isOfOwnApp } from "@/shared/counted.ts";
import type { Activity } from "@/shared/online.ts";

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
  const known = identityIn(entry.channel, id, account);
  const name = known.kind === "foreign" ? entry.name ?? id : known.name;
  const line = { at, id, kind, name, ...!isOwn && { isElsewhere: true } };
  return entry.change === "joined"
    ? { ...line, change: "joined" }
    : { ...line, change: "left", reason: entry.reason };
}

/** Lines of a ticker. */
const tickerLength = 20;

/** The latest activity in a channel, newest first: as much as a ticker shows. */
export async function recentActivity(
  log: Pick<ActivityLog, "read">,
  channel: string,
  accountsOf: AccountsOf,
): Promise<Activity[]> {
  const { entries } = await log.read({ channel, limit: tickerLength });
  return await activitiesOf(entries, accountsOf);
}
