import { type HistoryRow, historyRows } from "./history_rows.ts";
import { dateText, type Place } from "../page/time_text.ts";
import type { HistoryRange, HistoryReport } from "../../shared/history.ts";

/** The lengths of time that a line can show, as the links call them. */
export const rangeText: Record<HistoryRange, string> = {
  hour: "Hour",
  day: "Day",
  month: "30 days",
};

/** What one point of a line stands for. */
const intervalText: Record<HistoryRange, string> = {
  hour: "by the minute",
  day: "by the quarter of an hour",
  month: "by six hours",
};

const spanText: Record<HistoryRange, string> = {
  hour: "in the last hour",
  day: "in the last day",
  month: "in the last 30 days",
};

const timeOfDay: Intl.DateTimeFormatOptions = { hour: "2-digit", minute: "2-digit" };

/** As much of a date as tells the points of a line apart. */
const pointForms: Record<HistoryRange, Intl.DateTimeFormatOptions> = {
  hour: timeOfDay,
  day: { weekday: "short", ...timeOfDay },
  month: { month: "short", day: "numeric", ...timeOfDay },
};

/** When a point of a line is. */
export function pointText(at: number, range: HistoryRange, place: Place): string {
  return dateText(at, pointForms[range], place);
}

/** The line in words: `Users online in the last hour, by the minute`. */
export function lineText(range: HistoryRange): string {
  return `Users online ${spanText[range]}, ${intervalText[range]}`;
}

/** `15 at 14:05`, or a dash when nobody counted today. */
export function peakText({ peak }: HistoryReport, place: Place): string {
  return peak ? `${peak.users} at ${dateText(peak.at, timeOfDay, place)}` : "–";
}

/** The text alternative of the chart: what one would see in it. */
export function summaryText(report: HistoryReport, place: Place): string {
  const rows = historyRows(report);
  const counted = rows.flatMap((row) => row.counted ? [{ ...row, ...row.counted }] : []);
  const name = `Line chart. ${lineText(report.range)}`;
  const last = rows.at(-1)?.counted;
  if (counted.length === 0) return `${name}: nothing was counted.`;
  const highest = counted.reduce((one, other) => other.most > one.most ? other : one);
  const fewest = Math.min(...counted.map((row) => row.fewest));
  const when = pointText(highest.from, report.range, place);
  const now = last ? `now ${last.most}, ` : "";
  return `${name}: ${now}at most ${highest.most} at ${when}, at least ${fewest}.` +
    gapText(rows, report.range, place);
}

/** The gaps of a line, but for the time before the first count. */
function gapText(rows: HistoryRow[], range: HistoryRange, place: Place): string {
  const first = rows.findIndex(({ counted }) => counted !== null);
  const gaps = rows.slice(first).filter(({ counted }) => counted === null);
  if (gaps.length === 0) return "";
  const words = gaps.slice(-3).map(({ from, until }) =>
    `from ${pointText(from, range, place)} to ${pointText(until, range, place)}`
  );
  const more = gaps.length > words.length ? ` and ${gaps.length - words.length} more times` : "";
  return ` Not counted ${words.join(", ")}${more}.`;
}
