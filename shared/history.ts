/** The length of time up to now that a history covers. */
export type HistoryRange = "hour" | "day" | "month";

/** How much earlier the line is with which a history is compared. */
export type Earlier = "day" | "week" | "month";

/** What a history can be compared with. */
export const comparisons: Record<HistoryRange, readonly Earlier[]> = {
  hour: ["day", "week"],
  day: ["day", "week"],
  month: ["month"],
};

/** What a reader chose to see. */
export interface HistoryChoice {
  range: HistoryRange;
  /** Null for no comparison; one of the range's comparisons. */
  compare: Earlier | null;
}

/** The highest number of users, and when it was first reached. */
export interface Peak {
  users: number;
  /** How many of them were guests; absent where it is not known. */
  guests?: number;
  /** In milliseconds since 1970. */
  at: number;
}

/** What tells a reader whether the number of users is high or low. */
export interface HistoryContext {
  /** The number of users five to six minutes before the report; null when it was not measured. */
  before: number | null;
  /**
   * The median of the same quarter of an hour of the last four weeks; null when fewer than three of them were
   * measured.
   */
  usual: number | null;
  /** The highest number ever, however long ago; null when nothing was measured. */
  record: Peak | null;
  /** When the last record fell that had stood for a while, in milliseconds since 1970; absent when none has. */
  newRecordAt?: number;
}

/** A history of the number of users online. Times are in milliseconds since 1970. */
export interface MeasuredHistory extends HistoryChoice {
  /** The time of the report. */
  at: number;
  /** When the first point begins. */
  startsAt: number;
  /** The length of the interval of each point; the intervals are consecutive. */
  intervalMs: number;
  /** The extremes of each interval; null where there is no data. */
  points: (HistoryReportPoint | null)[];
  /** What it is compared with; null without a comparison. */
  earlier: EarlierLine | null;
  /** The start of the day of the peak. */
  midnight: number;
  /** The highest number of users since then; null when there is no data. */
  peak: Peak | null;
  context: HistoryContext;
}

/** The same as a page shows it. */
export interface HistoryReport extends MeasuredHistory {
  /** The title of the line. */
  title: string;
  /** The title with what tells the lines apart. */
  caption: string;
  /** Whether there is no data but for the current interval. */
  isJustBegun: boolean;
  /** The record, where one that had stood fell since `midnight`. */
  newRecord?: string;
  /** What happened, by the index of the point in whose interval it did; absent when nothing did. */
  marks?: Record<number, string>;
}

/** The same span of time, earlier. Its intervals are longer where shorter ones are not kept. */
export interface EarlierLine {
  /** How much earlier, in milliseconds. */
  offsetMs: number;
  startsAt: number;
  intervalMs: number;
  points: (HistoryReportPoint | null)[];
}

/** The extremes of an interval. */
export interface HistoryReportPoint {
  most: number;
  fewest: number;
  /** How many of the most users were guests; absent where it is not known, and everywhere if none ever was. */
  guests?: number;
  /** The most users who were active; absent where no tab reported it. */
  active?: number;
}
