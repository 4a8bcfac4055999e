import type { HistoryReport } from "../../shared/history.ts";

/** A part of a history: an interval in which somebody counted, or all of a gap. */
export interface HistoryRow {
  /** In milliseconds since 1970. */
  from: number;
  until: number;
  /** Null in a gap. */
  counted: { most: number; fewest: number } | null;
}

/** A history as rows, the oldest first; intervals of one gap are one row. */
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

/** Whether all that was ever counted of it is the interval that is not over. */
export function beginsNow({ points }: HistoryReport): boolean {
  return points.slice(0, -1).every((point) => point === null);
}
