import { z } from "zod";
import type { History, HistoryRange, Peak } from "./history.ts";
import { quarterHourMs } from "./history.ts";
import type { Interval } from "./interval.ts";

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

/** What a page asks the history. */
export interface HistoryQuery {
  range: HistoryRange;
  /** The start of the reader's day. */
  midnight: number;
}

const rangeSchema = z.enum(["hour", "day", "month"]);

/** A day may have 25 hours, and a reader's clock may be wrong. */
const longestDayMs = 26 * 60 * 60_000;

/** The range that an address names, or the last hour. */
export function readRange(parameters: URLSearchParams): HistoryRange {
  return rangeSchema.catch("hour").parse(parameters.get("range") ?? "hour");
}

/** Reads what a page asks for; null for what cannot be asked. */
export function readHistoryQuery(parameters: URLSearchParams, now: number): HistoryQuery | null {
  const schema = z.object({
    range: rangeSchema,
    midnight: z.string().regex(/^\d{1,15}$/).transform(Number)
      .refine((midnight) => midnight <= now + quarterHourMs && midnight > now - longestDayMs)
      .transform((midnight) => Math.floor(midnight / quarterHourMs) * quarterHourMs),
  });
  return schema.safeParse(Object.fromEntries(parameters)).data ?? null;
}

/** The start of the day in UTC. */
export function utcMidnight(now: number): number {
  return new Date(now).setUTCHours(0, 0, 0, 0);
}

/** Answers a page; `unsaved` is what was counted and is not stored yet. */
export async function historyReport(
  { history, unsaved }: { history: Pick<History, "read" | "peak">; unsaved: Interval[] },
  { range, midnight }: HistoryQuery,
  now: number,
): Promise<HistoryReport> {
  const [{ intervalMs, points }, peak] = await Promise.all([
    history.read(range, now, unsaved),
    history.peak(midnight, now + 1, unsaved),
  ]);
  return {
    range,
    at: now,
    startsAt: points[0].startsAt,
    intervalMs,
    points: points.map(({ measured }) =>
      measured && { most: measured.mostUsers, fewest: measured.fewestUsers }
    ),
    midnight,
    peak,
  };
}
