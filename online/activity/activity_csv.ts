import type { ActivityEntry } from "./activity_log.ts";
import { accountsById, type AccountsOf } from "../accounts_by_id.ts";
import { csvLine } from "./csv.ts";

/** An export of the activity log, in pieces, with the current names of accounts, and the kept names of others. */
export async function* activityCsv(
  pages: AsyncIterable<ActivityEntry[]>,
  accountsOf: AccountsOf,
): AsyncGenerator<string> {
  yield activityCsvHeader;
  for await (const entries of pages) {
    const accounts = await accountsById(accountsOf, entries.map(({ userId }) => userId));
    yield entries.map((entry) =>
      activityCsvLine(entry, accounts.get(entry.userId)?.name ?? entry.name)
    )
      .join("");
  }
}

/** The first line of an export: the names of the columns. */
export const activityCsvHeader = csvLine(["time", "user_id", "name", "kind", "change", "reason"]);

/**
 * The line of an entry. The time is ISO 8601 in UTC; the name is empty when it is not known, the reason
 * empty for a join.
 */
export function activityCsvLine(entry: ActivityEntry, name: string | null): string {
  return csvLine([
    new Date(entry.at).toISOString(),
    entry.userId,
    name ?? "",
    entry.kind,
    entry.change,
    entry.change === "left" ? entry.reason : "",
  ]);
}
