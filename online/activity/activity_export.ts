import { activityCsvHeader, activityCsvLine } from "./activity_csv.ts";
import type { ActivityEntry } from "./activity_log.ts";
import type { AccountsOf } from "./activity.ts";

/** The lines of an export, in pieces, with the names that accounts have now. */
export async function* activityCsv(
  pages: AsyncIterable<ActivityEntry[]>,
  accountsOf: AccountsOf,
): AsyncGenerator<string> {
  yield activityCsvHeader;
  for await (const entries of pages) {
    const accounts = await accountsOf([...new Set(entries.map(({ userId }) => userId))]);
    const names = new Map(accounts.map(({ id, name }) => [id, name]));
    yield entries.map((entry) => activityCsvLine(entry, names.get(entry.userId) ?? null)).join(
      "",
    );
  }
}
