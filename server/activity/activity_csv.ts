import type { ActivityEntry } from "./activity_log.ts";
import { accountsById, type AccountsOf } from "../presence/identity.ts";
import { isOfOwnApp } from "@/shared/counted.ts";

/**
 * What spreadsheets take as the start of a formula, in half and full width. Some skip spaces, marks and
 * other characters before it that are not seen.
 */
const formulaStart = /^([^\p{L}\p{N}\p{P}\p{S}]*[=+\-@＝＋－＠]|[\t\r\n])/u;

/**
 * A line of CSV (RFC 4180) with its line end. Every cell is quoted. A cell that a spreadsheet would run
 * as a formula gets a `'` before it, which makes it a text.
 */
export function csvLine(cells: string[]): string {
  return cells.map(quoted).join(",") + "\r\n";
}

function quoted(cell: string): string {
  const text = formulaStart.test(cell) ? `'${cell}` : cell;
  return `"${text.replaceAll('"', '""')}"`;
}

/**
 * An export of the activity log, in pieces, with the current names of accounts, and the kept names of
 * others.
 *
 * @param hasChannels whether lines end with the channel: where several are counted.
 */
export async function* activityCsv(
  pages: AsyncIterable<ActivityEntry[]>,
  accountsOf: AccountsOf,
  hasChannels = false,
): AsyncGenerator<string> {
  yield csvLine([...columns, ...hasChannels ? ["channel"] : []]);
  for await (const entries of pages) {
    const accounts = await accountsById(accountsOf, entries.map(({ userId }) => userId));
    const nameOf = ({ channel, userId, name }: ActivityEntry) =>
      (isOfOwnApp(channel) ? accounts.get(userId)?.name : undefined) ?? name;
    yield entries.map((entry) => activityCsvLine(entry, nameOf(entry), hasChannels)).join("");
  }
}

const columns = ["time", "user_id", "name", "kind", "change", "reason"];

/** The first line of an export: the names of the columns. */
export const activityCsvHeader = csvLine(columns);

/**
 * The line of an entry. The time is ISO 8601 in UTC; the name is empty when it is not known, the reason
 * empty for a join.
 */
export function activityCsvLine(
  entry: ActivityEntry,
  name: string | null,
  hasChannel = false,
): string {
  return csvLine([
    new Date(entry.at).toISOString(),
    entry.userId,
    name ?? "",
    entry.kind,
    entry.change,
    entry.change === "left" ? entry.reason : "",
    ...hasChannel ? [entry.channel] : [],
  ]);
}
