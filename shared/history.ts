/** The length of time up to now that a history covers. */
export type HistoryRange = "hour" | "day" | "month";

/** The highest number of users, and when it was first reached. */
export interface Peak {
  users: number;
  /** In milliseconds since 1970. */
  at: number;
}

/** A history of the number of users online. Times are in milliseconds since 1970. */
export interface HistoryReport {
  range: HistoryRange;
  /** The time of the report. */
  at: number;
  /** When the first point begins. */
  startsAt: number;
  /** The length of the interval of each point; the intervals are consecutive. */
  intervalMs: number;
  /** The extremes of each interval; null where there is no data. */
  points: (HistoryReportPoint | null)[];
  /** The start of the day of the peak. */
  midnight: number;
  /** The highest number of users since then; null when there is no data. */
  peak: Peak | null;
}

/** The extremes of an interval. */
export interface HistoryReportPoint {
  most: number;
  fewest: number;
}
