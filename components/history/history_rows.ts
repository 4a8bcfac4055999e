import type { HistoryReport, HistoryReportPoint } from "@/shared/history.ts";

/** A row of the history table: an interval with data, or a whole gap. */
export interface HistoryRow {
  /** In milliseconds since 1970. */
  from: number;
  until: number;
  /** Null in a gap. */
  counted: HistoryReportPoint | null;
}

/** A history as rows, oldest first; the intervals of a gap are one row. */
export function historyRows({ startsAt, intervalMs, points }: HistoryReport): HistoryRow[] {
  const rows: HistoryRow[] = [];
  for (const [index, counted] of points.entries()) {
    const from = startsAt + index * intervalMs;
    const last = rows.at(-1);
    if (last && last.counted === null && counted === null) last.until = from + intervalMs;
    else rows.push({ from, until: from + intervalMs, counted });
  }
  return rows;
}

/** Whether there is no data but for the current interval. */
export function isJustBegun({ points }: HistoryReport): boolean {
  return points.slice(0, -1).every((point) => point === null);
}
