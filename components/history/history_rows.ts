import type { HistoryReport, HistoryReportPoint, MeasuredHistory } from "@/shared/history.ts";

/** A row of the history table: an interval with data, or a whole gap. */
export interface HistoryRow {
  /** In milliseconds since 1970. */
  from: number;
  until: number;
  /** Null in a gap. */
  counted: HistoryReportPoint | null;
  /** What happened in it. */
  mark?: string;
}

/** A history as rows, oldest first; the intervals of a gap are one row up to a mark. */
export function historyRows(
  { startsAt, intervalMs, points, marks = {} }: HistoryReport,
): HistoryRow[] {
  const rows: HistoryRow[] = [];
  for (const [index, counted] of points.entries()) {
    const from = startsAt + index * intervalMs;
    const mark = marks[index];
    const last = rows.at(-1);
    if (last && !last.counted && !counted && !mark) last.until = from + intervalMs;
    else rows.push({ from, until: from + intervalMs, counted, mark });
  }
  return rows;
}

/** Whether there is no data but for the current interval. */
export function isJustBegun({ points }: MeasuredHistory): boolean {
  return points.slice(0, -1).every((point) => point === null);
}
