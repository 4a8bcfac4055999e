import type { ActivityEntry } from "./activity_log.ts";
import { csvLine } from "./csv.ts";

/** The first line of an export of the attendance log, which names the columns. */
export const activityCsvHeader = csvLine(["time", "user_id", "name", "kind", "change", "reason"]);

/**
 * The line of an entry: the time as ISO 8601 in UTC, the name empty when it is not known, the reason
 * empty for who joined.
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
