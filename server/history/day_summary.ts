import type { Peak } from "@/shared/history.ts";
import { dayMs, type Interval, minuteMs } from "./minute_measure.ts";

/** A calendar day in a time zone, from its start to before its end, in ms since 1970: 23 to 25 hours. */
export interface Day {
  /** Such as `2026-03-29`. */
  date: string;
  startsAt: number;
  endsAt: number;
}

/** Clocks are put forward and back at multiples of this, so that days begin at one. */
const stepMs = 15 * minuteMs;

/** No time zone is further from UTC, in ms. */
const farthestMs = 16 * 60 * minuteMs;

const formats = new Map<string, Intl.DateTimeFormat>();

/** The date at a time in a time zone, such as `2026-03-29`. */
export function dateAt(at: number, timeZone: string): string {
  let format = formats.get(timeZone);
  if (!format) {
    // The calendar is Gregorian and the digits are Latin, whatever the machine prefers.
    const numeric = { year: "numeric", month: "2-digit", day: "2-digit" } as const;
    format = new Intl.DateTimeFormat("en-US", { timeZone, ...numeric });
    formats.set(timeZone, format);
  }
  const [month, day, year] = format.format(at).split("/");
  return `${year}-${month}-${day}`;
}

/** The date some days after another, or before it. */
export function dateAfter(date: string, days = 1): string {
  return new Date(Date.parse(date) + days * dayMs).toISOString().slice(0, date.length);
}

/** The day with a date. Where the clocks are put forward at midnight, it begins with its first hour. */
export function dayOf(date: string, timeZone: string): Day {
  return {
    date,
    startsAt: startOf(date, timeZone),
    endsAt: startOf(dateAfter(date), timeZone),
  };
}

function startOf(date: string, timeZone: string): number {
  const midnight = Date.parse(date);
  let [before, within] = [(midnight - farthestMs) / stepMs, (midnight + farthestMs) / stepMs];
  while (within - before > 1) {
    const middle = Math.floor((before + within) / 2);
    if (dateAt(middle * stepMs, timeZone) < date) before = middle;
    else within = middle;
  }
  return within * stepMs;
}

/** The number of users online in a time, as far as it was measured. */
export interface OnlineSummary {
  /** Null when nothing was measured. */
  peak: Peak | null;
  /** The middle of the highest and the lowest number of each interval, weighted by the time it was measured. */
  average: number | null;
  recordedMs: number;
}

/** Sums up what was measured in intervals, of any length. */
export function summarizeIntervals(intervals: readonly Interval[]): OnlineSummary {
  let peak: Peak | null = null;
  let [recordedMs, userMs] = [0, 0];
  for (const { mostUsers, mostUsersAt, fewestUsers, measuredMs } of intervals) {
    const isHigher = peak === null || mostUsers > peak.users ||
      mostUsers === peak.users && mostUsersAt < peak.at;
    if (isHigher) peak = { users: mostUsers, at: mostUsersAt };
    recordedMs += measuredMs;
    userMs += (mostUsers + fewestUsers) / 2 * measuredMs;
  }
  return { peak, average: recordedMs > 0 ? userMs / recordedMs : null, recordedMs };
}

/** Who came on a day. Lengths of visits are in whole seconds, and null when no visit ended. */
export interface VisitSummary {
  /** Different people who were there at any time of the day. */
  people: number;
  /** Visits that ended on the day, however long before they began. */
  visits: number;
  medianSeconds: number | null;
  p90Seconds: number | null;
}

/** A join or leave, as the summary needs it. */
export interface Change {
  userId: string;
  at: number;
  change: "joined" | "left";
}

/**
 * Sums up joins and leaves by day. It takes them in order, from the start of the first day on and past the end of
 * the last, and keeps the ids of people in memory only.
 *
 * Who was there before the first day is not known at its start: it shows when they leave, or by their being there
 * still.
 */
export class VisitDays {
  readonly #days: readonly Day[];
  readonly #people: number[];
  /** For each day, the number of visits by their length in seconds. */
  readonly #lengths: Map<number, number>[];
  readonly #seen = new Set<string>();
  /** When those who are there joined. */
  readonly #open = new Map<string, number>();
  /** Who left without having joined since the start of the first day, and when. */
  readonly #before = new Map<string, { at: number; day: number }>();
  #today = new Set<string>();
  /** The index of the day of the last change. */
  #day = 0;

  /** @param days consecutive ones */
  constructor(days: readonly Day[]) {
    this.#days = days;
    this.#people = days.map(() => 0);
    this.#lengths = days.map(() => new Map());
  }

  /** Takes the next change. A second join or leave in a row is ignored. */
  take({ userId, at, change }: Change): void {
    this.#advance(at);
    const joinedAt = this.#open.get(userId);
    if (change === "joined") {
      if (joinedAt === undefined) this.#open.set(userId, at);
    } else if (joinedAt !== undefined) {
      this.#open.delete(userId);
      this.#ended(this.#day, at - joinedAt);
    } else if (!this.#seen.has(userId)) {
      this.#before.set(userId, { at, day: this.#day });
      for (let day = 0; day < this.#day && day < this.#days.length; day++) this.#people[day]++;
    } else return;
    this.#seen.add(userId);
    this.#today.add(userId);
  }

  /** Who left without having joined since the start of the first day: {@link finish} needs their joins. */
  get joinedBefore(): string[] {
    return [...this.#before.keys()];
  }

  /**
   * The summaries of the days.
   *
   * @param joins when those of {@link joinedBefore} joined; who is not in it counts, and the length of the visit does
   * not.
   * @param online who was there when the first change was read, and since when.
   */
  finish(joins: ReadonlyMap<string, number>, online: ReadonlyMap<string, number>): VisitSummary[] {
    this.#advance(Infinity);
    for (const [userId, { at, day }] of this.#before) {
      const joinedAt = joins.get(userId);
      if (joinedAt !== undefined) this.#ended(day, at - joinedAt);
    }
    let throughout = 0;
    const start = this.#days.at(0)?.startsAt ?? 0;
    for (const [userId, since] of online) {
      if (since < start && !this.#seen.has(userId)) throughout++;
    }
    return this.#people.map((people, day) => {
      const lengths = this.#lengths[day];
      return {
        people: people + throughout,
        visits: lengths.values().reduce((sum, count) => sum + count, 0),
        medianSeconds: percentile(lengths, 0.5),
        p90Seconds: percentile(lengths, 0.9),
      };
    });
  }

  #advance(at: number): void {
    while (this.#day < this.#days.length && at >= this.#days[this.#day].endsAt) {
      this.#people[this.#day++] += this.#today.size;
      this.#today = new Set(this.#open.keys());
    }
  }

  #ended(day: number, lengthMs: number): void {
    const lengths = this.#lengths.at(day);
    if (!lengths || day >= this.#days.length) return;
    // Counted by the second, lengths take little memory, however many visits there are.
    const seconds = Math.round(Math.max(0, lengthMs) / 1_000);
    lengths.set(seconds, (lengths.get(seconds) ?? 0) + 1);
  }
}

/** The shortest length that at least a share of all visits does not exceed. */
function percentile(lengths: ReadonlyMap<number, number>, share: number): number | null {
  const sorted = [...lengths].sort(([one], [other]) => one - other);
  const total = sorted.reduce((sum, [, count]) => sum + count, 0);
  let passed = 0;
  for (const [seconds, count] of sorted) {
    passed += count;
    if (passed >= share * total) return seconds;
  }
  return null;
}
