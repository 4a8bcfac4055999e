import { countText, numberText, withGuestsText } from "@/shared/text.ts";
import { type TimeForm, type TimeStyle, timeText } from "../page/time_text.ts";
import { type HistoryRow, historyRows } from "./history_rows.ts";
import type {
  Earlier,
  HistoryContext,
  HistoryRange,
  HistoryReport,
  MeasuredHistory,
  Peak,
} from "@/shared/history.ts";
import { text } from "@/shared/language.ts";
import { keyText } from "@/shared/long_text.ts";

/** The links that choose a range. */
export const rangeLinks: [HistoryRange, string][] = [
  ["hour", keyText("1 h")],
  ["day", keyText("24 h")],
  ["month", keyText("30 d")],
];

/** What a history is compared with. */
export const earlierText: Record<Earlier, string> = {
  day: keyText("a day earlier"),
  week: keyText("a week earlier"),
  month: keyText("30 days earlier"),
};

function spanText(): Record<HistoryRange, string> {
  return { hour: text`last hour`, day: text`last 24 hours`, month: text`last 30 days` };
}

function intervalText(): Record<HistoryRange, string> {
  return { hour: text`per minute`, day: text`per 15 minutes`, month: text`per 6 hours` };
}

/** As much of a date as distinguishes the points of a line. */
const pointForms: Record<HistoryRange, TimeForm> = {
  hour: "minute",
  day: "weekdayAndMinute",
  month: "dateAndMinute",
};

/** The time of a point of the line. */
export function pointText(at: number, range: HistoryRange, style: TimeStyle): string {
  return timeText(at, pointForms[range], style);
}

/** The title of the line: `Users online, last hour (per minute)`, with `Users and guests` where these are known. */
export function lineText(report: MeasuredHistory): string {
  const time = `${spanText()[report.range]} (${intervalText()[report.range]})`;
  return isKnown(report, "guests")
    ? text`Users and guests online, ${time}`
    : text`Users online, ${time}`;
}

/** The title of the lines of a report, with what tells them apart. */
export function captionText(report: MeasuredHistory): string {
  return lineText(report) + (isKnown(report, "active") ? `; ${text`dashed: active`}` : "") +
    (isKnown(report, "guests") ? `; ${text`dotted: guests`}` : "");
}

function isKnown({ points }: MeasuredHistory, number: "active" | "guests"): boolean {
  return points.some((point) => point?.[number] !== undefined);
}

/** `15 at 14:05` or `1,204 on Nov 12`, guests included; a dash when nothing was measured. */
export function peakText(peak: Peak | null, form: "minute" | "date", style: TimeStyle): string {
  if (!peak) return "–";
  const when = timeText(peak.at, form, style);
  const users = numberText(peak.users);
  return form === "date" ? text`${users} on ${when}` : text`${users} at ${when}`;
}

/** The highest number since a time as a page knows it, which has seen more since the report of the last minute. */
export function highestOf(reported: Peak | null, seen: Peak | null, since: number): Peak | null {
  return seen && seen.at >= since && seen.users > (reported?.users ?? 0) ? seen : reported;
}

/** What became of a number in five minutes: `▲ 6`; null while there is nothing to tell. */
export function changeText(users: number | null, { before }: HistoryContext): string | null {
  if (users === null || before === null || users === before) return null;
  return `${users > before ? "▲" : "▼"} ${numberText(Math.abs(users - before))}`;
}

/** How a number is beside the usual one at this time of the week: `22% above usual`; null where nothing is usual. */
export function usualText(
  users: number | null,
  { context: { usual } }: HistoryReport,
): string | null {
  if (users === null || !usual) return null;
  const percent = Math.round(100 * (users / usual - 1));
  if (percent === 0) return text`As usual`;
  const shown = numberText(Math.abs(percent));
  return percent < 0 ? text`${shown}% below usual` : text`${shown}% above usual`;
}

/** The text alternative of the chart. */
export function summaryText(report: HistoryReport, style: TimeStyle): string {
  const rows = historyRows(report);
  const counted = rows.flatMap((row) => row.counted ? [{ ...row, ...row.counted }] : []);
  const name = text`Line chart, ${report.title}`;
  const last = rows.at(-1)?.counted;
  if (counted.length === 0) return text`${name}: no data.`;
  const highest = counted.reduce((one, other) => other.most > one.most ? other : one);
  const lowest = Math.min(...counted.map((row) => row.fewest));
  const when = pointText(highest.from, report.range, style);
  const now = last ? `${text`now ${withGuestsText(last.most, last.guests)}`}, ` : "";
  const most = text`highest ${withGuestsText(highest.most, highest.guests)} at ${when}`;
  const least = text`lowest ${numberText(lowest)}`;
  return `${name}: ${now}${most}, ${least}.${gapText(rows, report.range, style)}`;
}

/** The gaps of a line, without the time before its first point. */
function gapText(rows: HistoryRow[], range: HistoryRange, style: TimeStyle): string {
  const first = rows.findIndex(({ counted }) => counted !== null);
  const gaps = rows.slice(first).filter(({ counted }) => counted === null);
  if (gaps.length === 0) return "";
  const named = gaps.slice(-3).map(({ from, until }) =>
    text`from ${pointText(from, range, style)} to ${pointText(until, range, style)}`
  );
  const others = gaps.length - named.length;
  const all = named.join(", ");
  if (others === 0) return ` ${text`No data ${all}.`}`;
  return ` ${text`No data ${all} and ${countText(others, "other period")}.`}`;
}
