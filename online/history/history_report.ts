import { z } from "zod";
import type { History } from "./history.ts";
import { quarterHourMs } from "./history.ts";
import type { Interval } from "./interval.ts";
import type { HistoryRange, HistoryReport } from "../../shared/history.ts";

/** What a page asks of the history. */
export interface HistoryQuery {
  range: HistoryRange;
  /** The start of the reader's day, in ms since 1970. */
  midnight: number;
}

const rangeSchema = z.enum(["hour", "day", "month"]);

/** A day can have 25 hours, and the reader's clock can be an hour off. */
const longestDayMs = 26 * 60 * 60_000;

/** The range that a URL names; the last hour when it names none. */
export function readRange(parameters: URLSearchParams): HistoryRange {
  return rangeSchema.catch("hour").parse(parameters.get("range") ?? "hour");
}

/** Reads what a page asks for; null when a value is invalid. */
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

/** The stored history, and what was measured but is not stored yet; the recorder has both. */
export interface RecordedHistory {
  history: Pick<History, "read" | "peak">;
  unsaved(): Interval[];
}

/** What a page draws of the history. */
export async function historyReport(
  recorded: RecordedHistory,
  { range, midnight }: HistoryQuery,
  now: number,
): Promise<HistoryReport> {
  const { history } = recorded;
  const minutes = recorded.unsaved();
  const [{ intervalMs, points }, peak] = await Promise.all([
    history.read(range, now, minutes),
    history.peak(midnight, now + 1, minutes),
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
