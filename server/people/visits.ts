import type { ActivityEntry } from "../activity/activity_log.ts";
import type { PersonVisits, Visit } from "@/shared/person.ts";

/** How far back single visits are drawn, in milliseconds: a day. */
const drawnMs = 24 * 60 * 60_000;

/** How far back visits are counted, in milliseconds: 30 days, or as long as activity is kept; 0 is for ever. */
export function countedMs({ activityDays }: { activityDays: number }): number {
  return Math.min(30, activityDays || Infinity) * drawnMs;
}

/** The most visits that are drawn, the latest ones; all are summed up. */
const mostDrawn = 200;

/**
 * The visits of a person, of what the activity log has of them: how many, how long in total, and the median, with
 * those of the last day one by one. A visit lasts while the person is in any of the counted channels.
 *
 * A join without a leave is left out: the length of the visit was never recorded. A leave without a join began
 * before `since`.
 *
 * @param entries newest first, as the log reads them.
 * @param since the time from which they are complete, in milliseconds since 1970.
 * @param onlineSince since when the person has been online; null while offline.
 */
export function visitsOf(
  entries: readonly ActivityEntry[],
  { since, at, onlineSince }: { since: number; at: number; onlineSince: number | null },
): PersonVisits {
  const ended = staysIn(entries.filter((entry) => entry.at >= since), since);
  const present = onlineSince === null ? [] : [{ from: Math.max(since, onlineSince), until: at }];
  const visits = merged([...ended, ...present]);
  const lengths = visits.map(({ from, until }) => until - from).sort((a, b) => a - b);
  return {
    since,
    count: visits.length,
    totalMs: lengths.reduce((sum, length) => sum + length, 0),
    medianMs: medianOf(lengths),
    ofLastDay: visits.filter(({ until }) => until > at - drawnMs).slice(-mostDrawn)
      .map(({ from, until }) => ({ from: Math.max(from, at - drawnMs), until })),
  };
}

/** The time in each channel that has ended. */
function staysIn(entries: readonly ActivityEntry[], since: number): Visit[] {
  const stays: Visit[] = [];
  /** Null for a channel that the person left and did not join again. */
  const joinedAt = new Map<string, number | null>();
  for (const { at, change, channel } of entries.toReversed()) {
    const from = joinedAt.has(channel) ? joinedAt.get(channel)! : since;
    joinedAt.set(channel, change === "joined" ? at : null);
    if (change === "left" && from !== null) stays.push({ from, until: Math.max(from, at) });
  }
  return stays;
}

/** Joins what overlaps or touches, in the order of time. */
function merged(stays: readonly Visit[]): Visit[] {
  const visits: Visit[] = [];
  for (const { from, until } of stays.toSorted((a, b) => a.from - b.from)) {
    const last = visits.at(-1);
    if (last && from <= last.until) last.until = Math.max(last.until, until);
    else visits.push({ from, until });
  }
  return visits;
}

/** The median of sorted numbers; null without any. */
function medianOf(sorted: readonly number[]): number | null {
  if (sorted.length === 0) return null;
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
