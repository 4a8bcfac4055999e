/**
 * How many users were in a counted channel, over time.
 *
 * `minute_measure.ts` turns changes of the number into measured minutes, each with its highest, lowest and
 * last number; `history_recorder.ts` stores a minute when it is over. This file adds it to the intervals that
 * contain it, of a minute, 15 minutes and 6 hours, and reads the line that a page draws; `history_report.ts`
 * makes the answer to a page, with a comparison and the peak of the day.
 *
 * The promises: the highest number of an interval is exact, with its time, however short it was. A minute
 * that is stored twice changes nothing. A time in which no server measured is a gap, and never a zero. A line
 * reaches up to now, because what is measured and not stored yet is added when it is read.
 *
 * The highest number ever is kept beside the intervals, so that it outlives them. `new_record.ts` says when a new
 * one is news: that is decided in the transaction that stores its minute, and so only once, on whichever server.
 *
 * The trade-off: detail is given up with age, as minutes are kept for 2 days, quarters of an hour for 32 and 6
 * hours for 400. So a channel has fewer than 8,000 rows, whatever happens in it, and no job has to sum up old rows:
 * all three intervals are written with each minute, in one transaction. They are quarters of an hour because
 * midnight falls on one in every time zone.
 *
 * While the database fails, the minutes of the last day wait in memory.
 *
 * @module
 */
import type { Kysely } from "kysely";
import { z } from "zod";
import type { Database } from "../database/database.ts";
import type { Tables } from "../database/schema.ts";
import { dayMs, type Interval, merged, minuteMs, startOfInterval } from "./minute_measure.ts";
import { type KeptRecord, type NewRecord, nextRecord, recordSchema } from "./new_record.ts";
import { readSetting, writeSetting } from "../database/stored_setting.ts";
import { onlineKey } from "@/shared/counted.ts";
import type { HistoryContext, HistoryRange, Peak } from "@/shared/history.ts";

const hourMs = 60 * minuteMs;

/** Midnight in every time zone is a multiple of this. */
export const quarterHourMs = 15 * minuteMs;

/** The lengths of the stored intervals, and how long each is kept. */
export const resolutions = [
  { intervalMs: minuteMs, keptMs: 2 * dayMs },
  { intervalMs: quarterHourMs, keptMs: 32 * dayMs },
  { intervalMs: 6 * hourMs, keptMs: 400 * dayMs },
];

/** Those are kept longest. */
const longestIntervalMs = 6 * hourMs;

/** Intervals that one statement deletes: the embedded database works in the event loop. */
const deletedAtOnce = 500;

/** The intervals that each range of a page shows. */
const ranges: Record<HistoryRange, { intervalMs: number; points: number }> = {
  hour: { intervalMs: minuteMs, points: 60 },
  day: { intervalMs: quarterHourMs, points: 96 },
  month: { intervalMs: 6 * hourMs, points: 120 },
};

/** Over how long a change of the number is told, in ms. */
const changeMs = 5 * minuteMs;

const weekMs = 7 * dayMs;

/** With fewer of the last four weeks, nothing is usual. */
const fewestWeeks = 3;

/** One point of a line. */
export interface HistoryPoint {
  /** In ms since 1970. */
  startsAt: number;
  /** Null for a gap, in which the server did not run. */
  measured: Interval | null;
}

/** A line with a point for each interval; the last one is of the time asked for. */
export interface HistoryLine {
  intervalMs: number;
  points: HistoryPoint[];
}

const columns = z.object({
  startsAt: z.number(),
  mostUsers: z.number(),
  mostUsersAt: z.number(),
  fewestUsers: z.number(),
  lastUsers: z.number(),
  lastAt: z.number(),
  mostConnections: z.number(),
  measuredMs: z.number(),
  mostActive: z.number().nullable(),
  guestsAtMost: z.number().nullable(),
});

const intervalSchema = columns.transform(({ mostActive, guestsAtMost, ...interval }): Interval => ({
  ...interval,
  ...mostActive !== null && { mostActive },
  ...guestsAtMost !== null && { guestsAtMost },
}));

/**
 * How many users were in a counted channel, over time: per minute for 2 days, per 15 minutes for 32 days, per 6 hours
 * for 400 days. Times are in ms since 1970; intervals begin at multiples of their length (in UTC).
 *
 * Reading takes the minutes that are measured but not stored yet, so that the answer reaches up to now.
 */
export class History {
  readonly #database: Database;
  readonly #channel: string;
  readonly #timeZone: string;

  /**
   * @param channel the key of the counted channel.
   * @param timeZone in which days begin.
   */
  constructor(database: Database, channel = onlineKey, timeZone = "UTC") {
    this.#database = database;
    this.#channel = channel;
    this.#timeZone = timeZone;
  }

  /**
   * Adds what was measured of a minute, or of part of one, to all intervals that contain it, in one
   * transaction. Add minutes in order; adding one twice changes nothing.
   *
   * @param isCertain whether the number can be believed; otherwise it makes no record.
   */
  async record(minute: Interval, isCertain = true): Promise<void> {
    await this.#database.exclusively(async (transaction) => {
      for (const { intervalMs } of resolutions) {
        await add(transaction, this.#channel, intervalMs, minute);
      }
      if (isCertain) await this.#keepRecord(transaction, peakOf(minute));
    });
  }

  async #keepRecord(transaction: Kysely<Tables>, peak: Peak): Promise<void> {
    const before = await this.#storedRecord(transaction);
    if (before && peak.users <= before.users) return;
    const begunAt = await this.#begunAt(transaction, longestIntervalMs) ?? peak.at;
    const record = before
      ? nextRecord(before, peak, { begunAt, timeZone: this.#timeZone })
      : await this.#highest(transaction);
    await writeSetting(transaction, this.#recordName, record);
  }

  /** How many users were online at the end of what was measured; 0 when nothing was. */
  async lastUsers(): Promise<number> {
    const last = await this.#database.queries.selectFrom("onlineInterval").select("lastUsers")
      .where("channel", "=", this.#channel)
      .where("intervalMs", "=", minuteMs).orderBy("startsAt", "desc").limit(1).executeTakeFirst();
    return last?.lastUsers ?? 0;
  }

  /** When the oldest kept interval of a length begins; null when there is none. */
  begunAt(intervalMs: number): Promise<number | null> {
    return this.#begunAt(this.#database.queries, intervalMs);
  }

  async #begunAt(queries: Kysely<Tables>, intervalMs: number): Promise<number | null> {
    const first = await queries.selectFrom("onlineInterval").select("startsAt")
      .where("channel", "=", this.#channel).where("intervalMs", "=", intervalMs)
      .orderBy("startsAt").limit(1).executeTakeFirst();
    return first?.startsAt ?? null;
  }

  /** What was measured of a time that begins and ends at quarters of an hour, in the shortest intervals kept of it. */
  measured(since: number, until: number, now: number): Promise<Interval[]> {
    const [minutes, quarters] = resolutions;
    // The oldest of the minutes may be deleted at any moment.
    const isKept = since >= now - minutes.keptMs + hourMs;
    return this.#between((isKept ? minutes : quarters).intervalMs, since, until);
  }

  /** The line that ends with the interval that contains `now`. */
  read(range: HistoryRange, now: number, unsaved: Interval[] = []): Promise<HistoryLine> {
    return this.#line(ranges[range], now, unsaved);
  }

  /**
   * The line of the same span of time, `offsetMs` before the one that ends now, in the shortest intervals
   * that are kept of it.
   */
  readEarlier(range: HistoryRange, now: number, offsetMs: number): Promise<HistoryLine> {
    const { intervalMs: own, points } = ranges[range];
    const spanMs = own * points;
    const resolution = resolutions.find(({ intervalMs, keptMs }) =>
      intervalMs >= own && keptMs >= offsetMs + spanMs
    );
    const { intervalMs } = resolution ?? resolutions[resolutions.length - 1];
    return this.#line({ intervalMs, points: spanMs / intervalMs }, now - offsetMs, []);
  }

  async #line(
    { intervalMs, points }: { intervalMs: number; points: number },
    now: number,
    unsaved: Interval[],
  ): Promise<HistoryLine> {
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
   * The peak from `since` to before `until`, or null when nothing was measured. It is exact when both are
   * multiples of a quarter hour and at most 32 days ago; `until` may be in the future.
   */
  async peak(since: number, until: number, unsaved: Interval[] = []): Promise<Peak | null> {
    const highest = await this.#database.queries.selectFrom("onlineInterval")
      .select(["mostUsers", "mostUsersAt", "guestsAtMost"])
      .where("channel", "=", this.#channel).where("intervalMs", "=", quarterHourMs)
      .where("startsAt", ">=", since).where("startsAt", "<", until)
      .orderBy("mostUsers", "desc").orderBy("mostUsersAt")
      .limit(1).executeTakeFirst();
    const running = unsaved.filter(({ startsAt }) => startsAt >= since && startsAt < until)
      .map(peakOf);
    // Of equal ones, the first is of the server before a restart.
    const candidates = highest ? [peakOf(peakSchema.parse(highest)), ...running] : running;
    return candidates.sort((a, b) => b.users - a.users || a.at - b.at)[0] ?? null;
  }

  /** What tells whether the number at a time is high or low. */
  async context(now: number, unsaved: Interval[] = []): Promise<HistoryContext> {
    const [before, usual, stored] = await Promise.all([
      this.#usersBefore(now),
      this.#usual(now),
      this.#storedRecord(this.#database.queries),
    ]);
    const record = await this.#highestEver(stored, unsaved);
    return { before, usual, record, ...stored?.fell && { newRecordAt: stored.fell.at } };
  }

  /** The last new record that was news, however long ago; null when there was none. */
  async newRecord(): Promise<NewRecord | null> {
    const { fell, ...record } = await this.#storedRecord(this.#database.queries) ?? noRecord;
    return fell ? { ...record, fellAt: fell.at, before: fell.before } : null;
  }

  /** The highest number ever; null when nothing was measured. */
  async highestEver(unsaved: Interval[]): Promise<Peak | null> {
    return this.#highestEver(await this.#storedRecord(this.#database.queries), unsaved);
  }

  async #highestEver(stored: KeptRecord | null, unsaved: Interval[]): Promise<Peak | null> {
    const { fell: _, ...kept } = stored ?? noRecord;
    const first = stored ? kept : await this.#highest(this.#database.queries);
    const peaks = unsaved.map(peakOf);
    return peaks.reduce<Peak | null>((one, two) => one ? higher(one, two) : two, first);
  }

  /** The number at the end of the minute that ended five to six minutes before. */
  async #usersBefore(now: number): Promise<number | null> {
    const startsAt = startOfInterval(now - changeMs, minuteMs) - minuteMs;
    const [minute] = await this.#between(minuteMs, startsAt, startsAt + minuteMs);
    return minute?.lastUsers ?? null;
  }

  async #usual(now: number): Promise<number | null> {
    const quarter = startOfInterval(now, quarterHourMs);
    const starts = Array.from({ length: 4 }, (_, index) => quarter - (index + 1) * weekMs);
    const rows = await this.#database.queries.selectFrom("onlineInterval")
      .select(["mostUsers", "fewestUsers"])
      .where("channel", "=", this.#channel).where("intervalMs", "=", quarterHourMs)
      .where("startsAt", "in", starts).execute();
    if (rows.length < fewestWeeks) return null;
    const sizes = rows.map((row) => usualSchema.parse(row))
      .map(({ mostUsers, fewestUsers }) => (mostUsers + fewestUsers) / 2)
      .sort((one, other) => one - other);
    const middle = Math.floor(sizes.length / 2);
    return Math.round(
      sizes.length % 2 === 1 ? sizes[middle] : (sizes[middle - 1] + sizes[middle]) / 2,
    );
  }

  get #recordName(): string {
    return `history record ${this.#channel}`;
  }

  #storedRecord(queries: Kysely<Tables>): Promise<KeptRecord | null> {
    return readSetting(queries, this.#recordName, recordSchema);
  }

  /** The highest number of the intervals that are kept. */
  async #highest(queries: Kysely<Tables>): Promise<Peak | null> {
    const row = await queries.selectFrom("onlineInterval")
      .select(["mostUsers", "mostUsersAt", "guestsAtMost"])
      .where("channel", "=", this.#channel)
      .orderBy("mostUsers", "desc").orderBy("mostUsersAt").limit(1).executeTakeFirst();
    return row ? peakOf(peakSchema.parse(row)) : null;
  }

  /**
   * Deletes some of the intervals of all channels that have been kept long enough, in some milliseconds.
   *
   * @returns whether none is left to delete.
   */
  async thinSome(now: number): Promise<boolean> {
    const { queries } = this.#database;
    for (const { intervalMs, keptMs } of resolutions) {
      const old = queries.selectFrom("onlineInterval").select(["intervalMs", "startsAt", "channel"])
        .where("intervalMs", "=", intervalMs).where("startsAt", "<", now - keptMs)
        .orderBy("startsAt").limit(deletedAtOnce);
      const { numDeletedRows } = await queries.deleteFrom("onlineInterval")
        .where(({ eb, refTuple }) =>
          eb(
            refTuple("intervalMs", "startsAt", "channel"),
            "in",
            old.$asTuple("intervalMs", "startsAt", "channel"),
          )
        ).executeTakeFirst();
      if (numDeletedRows >= deletedAtOnce) return false;
    }
    return true;
  }

  async #between(intervalMs: number, first: number, end: number): Promise<Interval[]> {
    const rows = await this.#database.queries.selectFrom("onlineInterval").selectAll()
      .where("channel", "=", this.#channel).where("intervalMs", "=", intervalMs)
      .where("startsAt", ">=", first).where("startsAt", "<", end)
      .execute();
    return rows.map((row) => intervalSchema.parse(row));
  }
}

const peakSchema = columns.pick({ mostUsers: true, mostUsersAt: true, guestsAtMost: true });

const usualSchema = columns.pick({ mostUsers: true, fewestUsers: true });

const noRecord: KeptRecord = { users: 0, at: 0 };

function higher(one: Peak, other: Peak): Peak {
  return other.users > one.users ? other : one;
}

function peakOf(
  { mostUsers, mostUsersAt, guestsAtMost }: Interval | z.infer<typeof peakSchema>,
): Peak {
  return { users: mostUsers, at: mostUsersAt, ...guestsAtMost != null && { guests: guestsAtMost } };
}

function combined(intervalMs: number, stored: Interval | undefined, minute: Interval): Interval {
  if (stored) return merged(intervalMs, stored, minute);
  return { ...minute, startsAt: startOfInterval(minute.startsAt, intervalMs) };
}

async function add(
  queries: Kysely<Tables>,
  channel: string,
  intervalMs: number,
  minute: Interval,
): Promise<void> {
  const stored = await queries.selectFrom("onlineInterval").selectAll()
    .where("channel", "=", channel).where("intervalMs", "=", intervalMs)
    .where("startsAt", "=", startOfInterval(minute.startsAt, intervalMs))
    .executeTakeFirst();
  const interval = combined(intervalMs, stored && intervalSchema.parse(stored), minute);
  const row = { mostActive: null, guestsAtMost: null, ...interval };
  await queries.insertInto("onlineInterval").values({ channel, intervalMs, ...row })
    .onConflict((conflict) =>
      conflict.columns(["intervalMs", "startsAt", "channel"]).doUpdateSet(row)
    )
    .execute();
}
