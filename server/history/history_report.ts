import { z } from "zod";
import type { Database } from "../database/database.ts";
import { type HistoryEvent, historyEvents } from "./marks.ts";
import type { Crossing } from "@/shared/alert.ts";
import type { Sight } from "@/shared/permissions.ts";
import type { History, HistoryLine, HistoryPoint } from "./stored_history.ts";
import { quarterHourMs } from "./stored_history.ts";
import { dateAt, dayOf } from "./day_summary.ts";
import { dayMs, type Interval, minuteMs, startOfInterval } from "./minute_measure.ts";
import {
  comparisons,
  type Earlier,
  type EarlierLine,
  type HistoryChoice,
  type MeasuredHistory,
  type Peak,
} from "@/shared/history.ts";
import type { Reached, WallboardHour } from "@/shared/wallboard.ts";

/** What a page asks of the history. */
export interface HistoryQuery extends HistoryChoice {
  /** The start of the reader's day, in ms since 1970. */
  midnight: number;
}

const rangeSchema = z.enum(["hour", "day", "month"]);

/** A day can have 25 hours, and the reader's clock can be an hour off. */
const longestDayMs = 26 * 60 * 60_000;

const compareSchema = z.enum(["day", "week", "month"]);

const offsets: Record<Earlier, number> = { day: dayMs, week: 7 * dayMs, month: 30 * dayMs };

/** The choice that a URL names; the last hour, and no comparison, when it names none. */
export function readChoice(parameters: URLSearchParams): HistoryChoice {
  const range = rangeSchema.catch("hour").parse(parameters.get("range") ?? "hour");
  const compare = compareSchema.safeParse(parameters.get("compare")).data;
  return { range, compare: compare && comparisons[range].includes(compare) ? compare : null };
}

/** Reads what a page asks for; null when a value is invalid. */
export function readHistoryQuery(parameters: URLSearchParams, now: number): HistoryQuery | null {
  const schema = z.object({
    range: rangeSchema,
    compare: compareSchema.nullable().default(null),
    midnight: z.string().regex(/^\d{1,15}$/).transform(Number)
      .refine((midnight) => midnight <= now + quarterHourMs && midnight > now - longestDayMs)
      .transform((midnight) => Math.floor(midnight / quarterHourMs) * quarterHourMs),
  }).refine(({ range, compare }) => compare === null || comparisons[range].includes(compare));
  return schema.safeParse(Object.fromEntries(parameters)).data ?? null;
}

/** The start of the day in UTC. */
export function utcMidnight(now: number): number {
  return new Date(now).setUTCHours(0, 0, 0, 0);
}

/** The stored history, and what was measured but is not stored yet; the recorder has both. */
export interface RecordedHistory {
  history: History;
  unsaved(): Interval[];
}

/** What a page draws of the history. */
export async function historyReport(
  recorded: RecordedHistory,
  { range, compare, midnight }: HistoryQuery,
  now: number,
): Promise<MeasuredHistory> {
  const { history } = recorded;
  const minutes = recorded.unsaved();
  const [{ intervalMs, points }, earlier, peak, context] = await Promise.all([
    history.read(range, now, minutes),
    compare && history.readEarlier(range, now, offsets[compare]),
    history.peak(midnight, now + 1, minutes),
    history.context(now, minutes),
  ]);
  return {
    range,
    compare,
    at: now,
    startsAt: points[0].startsAt,
    intervalMs,
    points: extremesOf(points),
    earlier: compare && earlier && earlierLine(earlier, offsets[compare]),
    midnight,
    peak,
    context,
  };
}

/** The last hour as wallboards draw it, read once a minute however many wallboards there are. */
export class WallboardHours {
  readonly #recorded: RecordedHistory;
  readonly #timeZone: string;
  #minute = NaN;
  #hour: Promise<WallboardHour> | undefined;

  /** @param timeZone in which the day begins of which a wallboard shows the peak. */
  constructor(recorded: RecordedHistory, timeZone: string) {
    this.#recorded = recorded;
    this.#timeZone = timeZone;
  }

  /** The hour up to the minute of a time. Rejects when the database fails; the next call reads again. */
  at(now: number): Promise<WallboardHour> {
    const minute = startOfInterval(now, minuteMs);
    if (this.#hour && this.#minute === minute) return this.#hour;
    this.#minute = minute;
    const hour = this.#hour = this.#read(now);
    hour.catch(() => this.#hour = undefined);
    return hour;
  }

  async #read(now: number): Promise<WallboardHour> {
    const { history, unsaved } = this.#recorded;
    const minutes = unsaved();
    const midnight = dayOf(dateAt(now, this.#timeZone), this.#timeZone).startsAt;
    const [{ points }, peak, { before, record }] = await Promise.all([
      history.read("hour", now, minutes),
      history.peak(midnight, now + 1, minutes),
      history.context(now, minutes),
    ]);
    return {
      at: now,
      startsAt: points[0].startsAt,
      most: points.map(({ measured }) => measured?.mostUsers ?? null),
      before,
      peak: reached(peak),
      record: reached(record),
    };
  }
}

/** Without guests: of those a wallboard shows how many are online now. */
function reached(peak: Peak | null): Reached | null {
  return peak && { users: peak.users, at: peak.at };
}

/** What a page draws of the history, with the marks and alerts of its time; gaps show in its line. */
export async function historyWithEvents(
  { database, onlineRecorder }: {
    database: Database;
    onlineRecorder: { historyOf(channel: string): RecordedHistory };
  },
  channel: Sight & { key: string; alert: { state: { crossings: Crossing[] } | null } },
  query: HistoryQuery,
  now: number,
): Promise<{ measured: MeasuredHistory; events: HistoryEvent[] }> {
  const measured = await historyReport(onlineRecorder.historyOf(channel.key), query, now);
  const alerts = channel.alert.state?.crossings ?? [];
  const sources = { quarters: [], alerts };
  const events = await historyEvents(database, channel, measured.startsAt, sources);
  return { measured, events };
}

function earlierLine({ intervalMs, points }: HistoryLine, offsetMs: number): EarlierLine {
  return { offsetMs, startsAt: points[0].startsAt, intervalMs, points: extremesOf(points) };
}

function extremesOf(points: readonly HistoryPoint[]): MeasuredHistory["points"] {
  const hasGuests = points.some(({ measured }) => measured?.guestsAtMost);
  return points.map(({ measured }) =>
    measured && {
      most: measured.mostUsers,
      fewest: measured.fewestUsers,
      ...hasGuests && measured.guestsAtMost !== undefined && { guests: measured.guestsAtMost },
      ...measured.mostActive !== undefined && { active: measured.mostActive },
    }
  );
}
