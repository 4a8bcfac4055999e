import { z } from "zod";
import type { History } from "./history.ts";
import { quarterHourMs } from "./history.ts";
import type { Interval } from "./interval.ts";
import type { HistoryRange, HistoryReport } from "../../shared/history.ts";

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
