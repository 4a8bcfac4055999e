/**
 * The numbers of each day of a counted channel, kept for years.
 *
 * Shortly after a day has ended in the time zone of `TIME_ZONE`, the server that records stores one row of it: the
 * peak and its time, the average, how many people came, how many visits ended and how long they were, and how much
 * of the day was recorded. `day_summary.ts` computes them from the history and the activity.
 *
 * The promises: a row is numbers only, so that nothing of a person stays in it. A day is stored once, whole, by the
 * leader in its term, and after downtime, the missed days follow. A day in which nothing was measured is a row
 * without numbers. People and visits are unknown for a day whose activity is no longer kept.
 *
 * The trade-off: a day is summed up once. What is deleted or changed in the activity later changes no row.
 *
 * @module
 */
import { sql } from "kysely";
import { z } from "zod";
import type { Database } from "../database/database.ts";
import type { LeaderTerm } from "../database/leader_term.ts";
import type { Tables } from "../database/schema.ts";
import type { Clock } from "@/realtime/timing/clock.ts";
import { mostEntries } from "../activity/activity_log.ts";
import { storedUserId } from "../activity/activity_rows.ts";
import { type History, quarterHourMs } from "./stored_history.ts";
import { dayMs, minuteMs } from "./minute_measure.ts";
import {
  dateAfter,
  dateAt,
  type Day,
  dayOf,
  summarizeIntervals,
  VisitDays,
  type VisitSummary,
} from "./day_summary.ts";

/** A day is summed up when it has ended for this long: what happened in it is stored by then. */
const settledMs = 5 * minuteMs;

/** After the start, and between two looks for days that have ended, in ms. */
const [firstMs, everyMs] = [minuteMs, 10 * minuteMs];

/** Quarters of an hour are kept no longer: nothing new can be known of earlier days. */
const mostDays = 31;

/** Entries that are read at a time, with a pause after each time: the embedded database works in the event loop. */
const [readAtOnce, pauseMs] = [500, 5];

/** People whose joins one statement reads: SQLite joins 500 parts at most. */
const joinsAtOnce = 100;

const rowSchema = z.object({
  day: z.string(),
  startsAt: z.number(),
  endsAt: z.number(),
  mostUsers: z.number().nullable(),
  mostUsersAt: z.number().nullable(),
  averageHundredths: z.number().nullable(),
  people: z.number().nullable(),
  visits: z.number().nullable(),
  medianSeconds: z.number().nullable(),
  p90Seconds: z.number().nullable(),
  recordedSeconds: z.number(),
});

/** The numbers of a day. Null: nothing was measured, or for people and visits, the activity was not kept. */
export type DayNumbers = z.infer<typeof rowSchema>;

/** A day, with null where it is not stored. */
export interface StoredDay {
  date: string;
  numbers: DayNumbers | null;
}

/** The stored numbers of the days of a counted channel. */
export class DailyNumbers {
  readonly #database: Database;
  readonly #channel: string;

  /** @param channel the key of the counted channel. */
  constructor(database: Database, channel: string) {
    this.#database = database;
    this.#channel = channel;
  }

  /** The days from one date to another, both included, in order; days that are not stored are left out. */
  async read(from: string, to: string): Promise<DayNumbers[]> {
    const rows = await this.#database.queries.selectFrom("onlineDay").selectAll()
      .where("channel", "=", this.#channel).where("day", ">=", from).where("day", "<=", to)
      .orderBy("day").execute();
    return rows.map((row) => rowSchema.parse(row));
  }

  /** Each day from one date to another, both included, in order. */
  async each(from: string, to: string): Promise<StoredDay[]> {
    const stored = new Map((await this.read(from, to)).map((numbers) => [numbers.day, numbers]));
    const days: StoredDay[] = [];
    for (let date = from; date <= to; date = dateAfter(date)) {
      days.push({ date, numbers: stored.get(date) ?? null });
    }
    return days;
  }

  /** The date of the newest stored day; null when there is none. */
  async newest(): Promise<string | null> {
    const row = await this.#database.queries.selectFrom("onlineDay").select("day")
      .where("channel", "=", this.#channel).orderBy("day", "desc").limit(1).executeTakeFirst();
    return row?.day ?? null;
  }

  /** Stores days. @param term of several servers, the leader's: nothing is stored outside of it */
  async write(days: readonly DayNumbers[], term?: LeaderTerm): Promise<void> {
    if (days.length === 0) return;
    const work = async (queries: Database["queries"]) => {
      await queries.insertInto("onlineDay")
        .values(days.map((day): Tables["onlineDay"] => ({ channel: this.#channel, ...day })))
        .onConflict((conflict) => conflict.columns(["channel", "day"]).doNothing())
        .execute();
    };
    await (term ? term.within(work) : this.#database.exclusively(work));
  }
}

/** What {@link rollUp} reads of. */
export interface RollUpSource {
  database: Database;
  /** The key of the counted channel. */
  channel: string;
  history: History;
  timeZone: string;
  /** How many days the activity is kept; 0 for ever. */
  activityDays: number;
  term?: LeaderTerm;
}

/**
 * Stores the numbers of all days that have ended and are not stored.
 *
 * @param pause awaited between pieces of work; false: it is to end.
 * @throws {Error} when the database fails.
 */
export async function rollUp(
  source: RollUpSource,
  now: number,
  pause: () => Promise<boolean>,
): Promise<void> {
  const { channel, database, history, term } = source;
  const numbers = new DailyNumbers(database, channel);
  const days = await daysToSum(source, numbers, now);
  if (days.length === 0) return;
  const knownFrom = await activityKnownFrom(source, now);
  const known = days.filter(({ startsAt }) => startsAt >= knownFrom);
  const visits = await visitsByDate(source, known, pause);
  if (!visits) return;
  const rows: DayNumbers[] = [];
  for (const { date: day, startsAt, endsAt } of days) {
    const measured = summarizeIntervals(await history.measured(startsAt, endsAt, now));
    const { peak, average, recordedMs } = measured;
    rows.push({
      day,
      startsAt,
      endsAt,
      mostUsers: peak?.users ?? null,
      mostUsersAt: peak?.at ?? null,
      averageHundredths: average === null ? null : Math.round(average * 100),
      // On a day that was not recorded, zero people would be a guess.
      ...peak && visits.get(day) || noVisits,
      recordedSeconds: Math.round(recordedMs / 1_000),
    });
  }
  await numbers.write(rows, term);
}

const noVisits = { people: null, visits: null, medianSeconds: null, p90Seconds: null };

async function daysToSum(
  { history, timeZone }: RollUpSource,
  numbers: DailyNumbers,
  now: number,
): Promise<Day[]> {
  const end = dateAt(now - settledMs, timeZone);
  const newest = await numbers.newest();
  const begun = newest === null ? await history.begunAt(quarterHourMs) : null;
  if (newest === null && begun === null) return [];
  const next = newest === null ? dateAt(begun!, timeZone) : dateAfter(newest);
  const oldest = dateAfter(end, -mostDays);
  const days: Day[] = [];
  for (let date = next > oldest ? next : oldest; date < end; date = dateAfter(date)) {
    days.push(dayOf(date, timeZone));
  }
  return days;
}

/** From when on the log has all entries; -Infinity when nothing was deleted. */
async function activityKnownFrom(
  { activityDays, database }: RollUpSource,
  now: number,
): Promise<number> {
  const kept = activityDays > 0 ? now - activityDays * dayMs : -Infinity;
  const { queries } = database;
  const last = await queries.selectFrom("attendance").select("number")
    .orderBy("number", "desc").limit(1).executeTakeFirst();
  if ((last?.number ?? 0) <= mostEntries) return kept;
  const oldest = await queries.selectFrom("attendance").select("at")
    .orderBy("number").limit(1).executeTakeFirst();
  return Math.max(kept, (oldest?.at ?? 0) + 1);
}

const online = z.object({ userId: z.string(), since: z.number() });

const entry = z.object({
  number: z.number(),
  userId: z.string(),
  at: z.number(),
  change: z.enum(["joined", "left"]),
});

/** The visits of consecutive days, by date; null when the work is to end. */
async function visitsByDate(
  { channel, database: { queries } }: RollUpSource,
  days: readonly Day[],
  pause: () => Promise<boolean>,
): Promise<Map<string, VisitSummary> | null> {
  if (days.length === 0) return new Map();
  const summary = new VisitDays(days);
  const rows = await queries.selectFrom("attending").select(["userId", "since"])
    .where("channel", "=", channel).execute();
  const present = new Map(
    rows.map((row) => online.parse(row)).map((one) => [one.userId, one.since]),
  );
  const [{ startsAt }] = days;
  let after = { at: startsAt, number: 0 };
  while (true) {
    const entries = await queries.selectFrom("attendance")
      .select(["number", "userId", "at", "change"])
      .where("channel", "=", channel)
      .where("at", ">=", after.at)
      .where(sql<boolean>`("at", "number") > (${after.at}, ${after.number})`)
      .orderBy("at").orderBy("number").limit(readAtOnce).execute();
    for (const row of entries) summary.take(after = entry.parse(row));
    if (entries.length < readAtOnce) break;
    if (!await pause()) return null;
  }
  const joins = new Map<string, number>();
  const asked = summary.joinedBefore;
  for (let start = 0; start < asked.length; start += joinsAtOnce) {
    const parts = asked.slice(start, start + joinsAtOnce).map((id) =>
      sql`select * from (select "number", "userId", "at", "change" from "attendance"
        where "channel" = ${channel} and "userId" = ${storedUserId(id)} and "at" < ${startsAt}
        order by "at" desc, "number" desc limit 1) as "entry"`
    );
    const { rows } = await sql`${sql.join(parts, sql` union all `)}`.execute(queries);
    for (const { userId, at, change } of rows.map((row) => entry.parse(row))) {
      if (change === "joined") joins.set(userId, at);
    }
    if (!await pause()) return null;
  }
  const summaries = summary.finish(joins, present);
  return new Map(days.map(({ date }, index) => [date, summaries[index]]));
}

/** Stores the numbers of days after they have ended, from its construction to `stop`. Never throws. */
export class DailyRollUp {
  readonly #sources: readonly RollUpSource[];
  readonly #failed: (error: unknown) => void;
  readonly #clock: Clock;
  #cancel = () => {};
  #isStopped = false;
  #wake = () => {};
  #running: Promise<void> = Promise.resolve();

  /** @param failed called when the database fails; the next attempt is ten minutes later. */
  constructor(sources: readonly RollUpSource[], failed: (error: unknown) => void, clock: Clock) {
    this.#sources = sources;
    this.#failed = failed;
    this.#clock = clock;
    this.#next(firstMs);
  }

  /** Begins no more. Resolves when what has begun has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancel();
    this.#wake();
    await this.#running;
  }

  #next(afterMs: number): void {
    this.#cancel = this.#clock.after(afterMs, () => {
      this.#running = this.#run().then(() => {
        if (!this.#isStopped) this.#next(everyMs);
      });
    });
  }

  async #run(): Promise<void> {
    for (const source of this.#sources) {
      if (this.#isStopped) return;
      try {
        await rollUp(source, this.#clock.date(), () => this.#pause());
      } catch (error) {
        this.#failed(error);
      }
    }
  }

  async #pause(): Promise<boolean> {
    if (this.#isStopped) return false;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    this.#cancel = this.#clock.after(pauseMs, resolve);
    await promise;
    return !this.#isStopped;
  }
}
