import { z } from "zod";
import type { Peak } from "@/shared/history.ts";
import { leastRecord } from "@/shared/limits.ts";
import { dateAt } from "./day_summary.ts";
import { dayMs } from "./minute_measure.ts";

/** A crowd that grows over midnight makes one new record, and not two. */
const apartMs = dayMs / 2;

/** The highest number ever, as it is stored. */
export const recordSchema = z.object({
  users: z.number(),
  at: z.number(),
  guests: z.number().optional(),
  /** The last new record that was news: when the one before it fell, in ms since 1970, and how high that was. */
  fell: z.object({ at: z.number(), before: z.number() }).optional(),
});

/** See {@link recordSchema}. */
export type KeptRecord = z.infer<typeof recordSchema>;

/** A new record that is news. */
export interface NewRecord extends Peak {
  /** When the one before it fell, in ms since 1970; `at` is later where it grew since. */
  fellAt: number;
  /** How high the one before was. */
  before: number;
}

/**
 * The record after a higher number. It is news if the one before was of an earlier day, was not tiny, and fell in a
 * history that is at least a day old, so that the first days are no stream of records; and once a day at most. Pure.
 *
 * @param begunAt when the history began, in ms since 1970.
 */
export function nextRecord(
  { fell, ...before }: KeptRecord,
  peak: Peak,
  { begunAt, timeZone }: { begunAt: number; timeZone: string },
): KeptRecord {
  const isTold = before.users >= leastRecord && peak.at - begunAt >= dayMs &&
    dateAt(before.at, timeZone) < dateAt(peak.at, timeZone) &&
    (!fell || peak.at - fell.at >= apartMs);
  return { ...peak, fell: isTold ? { at: peak.at, before: before.users } : fell };
}
