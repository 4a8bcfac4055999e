import { countText, numberText, withGuestsText } from "@/shared/text.ts";
import type { TimeStyle } from "../page/time_text.ts";
import { earlierText, pointText } from "./history_text.ts";
import type { HistoryReport, HistoryReportPoint } from "@/shared/history.ts";
import { text } from "@/shared/language.ts";
import { longText } from "@/shared/long_text.ts";

/** The index, from 0 to `last`, of the point that is nearest to a part of the width, from 0 to 1. */
export function nearestPoint(part: number, last: number): number {
  return Math.min(last, Math.max(0, Math.round(part * last)));
}

/** The point of the earlier line that covers the time of a point; null where there is no data. */
export function earlierAt(
  { earlier, startsAt, intervalMs }: HistoryReport,
  index: number,
): HistoryReportPoint | null {
  if (!earlier) return null;
  const at = startsAt + index * intervalMs - earlier.offsetMs;
  return earlier.points[Math.floor((at - earlier.startsAt) / earlier.intervalMs)] ?? null;
}

/**
 * `61 users`, `55–61 users` where the number changed, with `, 21 active` where known; or `No data`. With guests,
 * `55–61 (40 users, 21 guests)`, who were there when it was the highest.
 */
export function usersText(point: HistoryReportPoint | null): string {
  if (!point) return text`No data`;
  const { active, fewest, guests, most } = point;
  const users = guests ? withGuestsText(most, guests) : countText(most, "user");
  const range = fewest === most ? users : `${numberText(fewest)}–${users}`;
  return active === undefined ? range : `${range}, ${text`${numberText(active)} active`}`;
}

/** A point in words, for screen readers. */
export function cursorText(report: HistoryReport, index: number, style: TimeStyle): string {
  const { compare, marks, points, range, startsAt, intervalMs } = report;
  const when = pointText(startsAt + index * intervalMs, range, style);
  const now = `${when}: ${usersText(points[index])}`;
  const mark = marks?.[index];
  return now +
    (compare ? `; ${longText(earlierText[compare])}: ${usersText(earlierAt(report, index))}` : "") +
    (mark ? `; ${mark}` : "");
}
