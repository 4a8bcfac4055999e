import type { Kysely } from "kysely";
import { z } from "zod";
import type { Database } from "../../database/database.ts";
import type { Tables } from "../../database/schema.ts";
import { type Interval, merged, startOfInterval } from "./interval.ts";
import { minuteMs } from "./minute_measure.ts";
import type { HistoryRange, Peak } from "../../shared/history.ts";

const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** Every time zone's midnight is at a multiple of this. */
export const quarterHourMs = 15 * minuteMs;

/** What is kept: intervals of so many milliseconds, for so long. */
const resolutions = [
  { intervalMs: minuteMs, keptMs: 2 * dayMs },
  { intervalMs: quarterHourMs, keptMs: 32 * dayMs },
  { intervalMs: 6 * hourMs, keptMs: 400 * dayMs },
];
const ranges: Record<HistoryRange, { intervalMs: number; points: number }> = {
  hour: { intervalMs: minuteMs, points: 60 },
  day: { intervalMs: quarterHourMs, points: 96 },
  month: { intervalMs: 6 * hourMs, points: 120 },
};

/** One point of a line. */
export interface HistoryPoint {
  /** In ms since 1970. */
  startsAt: number;
  /** What was measured, or null for a gap: the server did not run. */
  measured: Interval | null;
}

/** A line without holes: a point for each interval, the last one of the time that is asked for. */
export interface HistoryLine {
  intervalMs: number;
  points: HistoryPoint[];
}

const intervalSchema = z.object({
  startsAt: z.number(),
  mostUsers: z.number(),
  mostUsersAt: z.number(),
  fewestUsers: z.number(),
  lastUsers: z.number(),
  lastAt: z.number(),
  mostConnections: z.number(),
  measuredMs: z.number(),
});

/**
 * How many users were online, over time: by the minute for two days, by the quarter hour for a month,
 * by six hours for a year. Times are in ms since 1970, intervals begin at their multiples (in UTC).
 *
 * What is measured but not stored yet can be given to the questions, so that they tell of now.
 */
export class History {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Adds what was measured of one minute, or of a part of it, to its minute and to the longer
   * intervals: all or nothing. Minutes are added in order; adding one twice changes nothing.
   */
  async record(minute: Interval): Promise<void> {
    await this.#database.exclusively(async (transaction) => {
      for (const { intervalMs } of resolutions) await add(transaction, intervalMs, minute);
    });
  }

  /** The line that ends with the interval in which `now` lies. */
  async read(range: HistoryRange, now: number, unsaved: Interval[] = []): Promise<HistoryLine> {
    const { intervalMs, points } = ranges[range];
    const last = startOfInterval(now, intervalMs);
    const first = last - (points - 1) * intervalMs;
    const stored = await this.#between(intervalMs, first, last + intervalMs);
    const byStart = new Map(stored.map((interval) => [interval.startsAt, interval]));
    for (const minute of unsaved) {
      const startsAt = startOfInterval(minute.startsAt, intervalMs);
      byStart.set(startsAt, combined(intervalMs, byStart.get(startsAt), minute));
    }
    return {
      intervalMs,
      points: Array.from({ length: points }, (_, index) => {
        const startsAt = first + index * intervalMs;
        return { startsAt, measured: byStart.get(startsAt) ?? null };
      }),
    };
  }

  /**
   * The peak from one time until before another, or null when nothing was measured. It is exact when
   * both are multiples of a quarter hour and at most 32 days ago; `until` may lie ahead.
   */
  async peak(since: number, until: number, unsaved: Interval[] = []): Promise<Peak | null> {
    const highest = await this.#database.queries.selectFrom("onlineInterval")
      .select(["mostUsers", "mostUsersAt"])
      .where("intervalMs", "=", quarterHourMs)
      .where("startsAt", ">=", since).where("startsAt", "<", until)
      .orderBy("mostUsers", "desc").orderBy("mostUsersAt")
      .limit(1).executeTakeFirst();
    const candidates = unsaved.filter(({ startsAt }) => startsAt >= since && startsAt < until)
      .map(peakOf);
    if (highest) candidates.push(peakOf(peakSchema.parse(highest)));
    return candidates.sort((a, b) => b.users - a.users || a.at - b.at)[0] ?? null;
  }

  /** Deletes what is older than it is kept. */
  async thin(now: number): Promise<void> {
    for (const { intervalMs, keptMs } of resolutions) {
      await this.#database.queries.deleteFrom("onlineInterval")
        .where("intervalMs", "=", intervalMs).where("startsAt", "<", now - keptMs).execute();
    }
  }

  async #between(intervalMs: number, first: number, end: number): Promise<Interval[]> {
    const rows = await this.#database.queries.selectFrom("onlineInterval").selectAll()
      .where("intervalMs", "=", intervalMs)
      .where("startsAt", ">=", first).where("startsAt", "<", end)
      .execute();
    return rows.map((row) => intervalSchema.parse(row));
  }
}

const peakSchema = intervalSchema.pick({ mostUsers: true, mostUsersAt: true });

function peakOf({ mostUsers, mostUsersAt }: z.infer<typeof peakSchema>): Peak {
  return { users: mostUsers, at: mostUsersAt };
}

function combined(intervalMs: number, stored: Interval | undefined, minute: Interval): Interval {
  if (stored) return merged(intervalMs, stored, minute);
  return { ...minute, startsAt: startOfInterval(minute.startsAt, intervalMs) };
}

async function add(queries: Kysely<Tables>, intervalMs: number, minute: Interval): Promise<void> {
  const stored = await queries.selectFrom("onlineInterval").selectAll()
    .where("intervalMs", "=", intervalMs)
    .where("startsAt", "=", startOfInterval(minute.startsAt, intervalMs))
    .executeTakeFirst();
  const interval = combined(intervalMs, stored && intervalSchema.parse(stored), minute);
  await queries.insertInto("onlineInterval").values({ intervalMs, ...interval })
    .onConflict((conflict) =>
      conflict.columns(["intervalMs", "startsAt"]).doUpdateSet({ ...interval })
    )
    .execute();
}
