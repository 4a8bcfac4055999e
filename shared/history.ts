/** The length of time that a line shows, up to now. */
export type HistoryRange = "hour" | "day" | "month";

/** The highest number of users, and when it was reached first. */
export interface Peak {
  users: number;
  /** In ms since 1970. */
  at: number;
}

/** What a page shows of how many were online. Times are in milliseconds since 1970. */
export interface HistoryReport {
  range: HistoryRange;
  /** Until when it tells. */
  at: number;
  /** When the first point begins. */
  startsAt: number;
  /** The length of each point; they follow one another. */
  intervalMs: number;
  /** The most and the fewest users of each interval; null where nobody counted. */
  points: (HistoryReportPoint | null)[];
  /** The start of the day whose peak this is. */
  midnight: number;
  /** The highest number of users since then, and when it was reached first. */
  peak: Peak | null;
}

/** What was counted in an interval. */
export interface HistoryReportPoint {
  most: number;
  fewest: number;
}
