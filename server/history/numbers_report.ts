import { csvLine } from "../activity/activity_csv.ts";
import type { Database } from "../database/database.ts";
import { DailyNumbers, type DayNumbers, type StoredDay } from "./daily_numbers.ts";
import { dateAfter, dateAt, dayOf } from "./day_summary.ts";
import type { Interval } from "./minute_measure.ts";
import { type HistoryEvent, historyEvents } from "./marks.ts";
import type { Crossing } from "@/shared/alert.ts";
import type { Sight } from "@/shared/permissions.ts";
import { weekdays } from "@/shared/text.ts";
import { History } from "./stored_history.ts";

/** How far the page of numbers reaches back, in days. */
export const numberRanges = { month: 30, year: 365 } as const;

/** One of {@link numberRanges}. */
export type NumbersRange = keyof typeof numberRanges;

/** The average of an hour of a weekday. */
export interface HeatCell {
  /** Null for a gap: the hour was recorded on no such day. */
  average: number | null;
  /** On how many days the hour was recorded, at least in part. */
  days: number;
}

/** The averages by weekday, Monday first, and hour; and of how many weeks they are at most. */
export interface HeatMap {
  weekdays: { name: string; hours: HeatCell[] }[];
  weeks: number;
}

/** What the page of numbers over time shows of a channel. */
export interface NumbersReport {
  range: NumbersRange;
  timeZone: string;
  /** One for each day of the range up to yesterday, in order; null for a day of which there is no row. */
  days: StoredDay[];
  /** The start of the first day and the end of the last one, in ms since 1970. */
  startsAt: number;
  endsAt: number;
  heat: HeatMap;
  /** Newest first. */
  events: HistoryEvent[];
}

/** Of how many days the heat map is: whole weeks, of which quarters of an hour are kept. */
const heatDays = 28;

const [sunday, ...otherWeekdays] = weekdays;

/** Monday first. */
const week = [...otherWeekdays, sunday];

/** Averages what was measured in intervals of at most an hour, by weekday and hour of a time zone. */
export function heatMap(intervals: readonly Interval[], timeZone: string): HeatMap {
  const sums = week.map(() =>
    Array.from({ length: 24 }, () => ({ userMs: 0, measuredMs: 0, dates: new Set<string>() }))
  );
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone,
    weekday: "short",
    hour: "2-digit",
    hourCycle: "h23",
  });
  for (const { startsAt, mostUsers, fewestUsers, measuredMs } of intervals) {
    if (measuredMs === 0) continue;
    const parts = format.formatToParts(startsAt);
    const part = (wanted: string) => parts.find(({ type }) => type === wanted)?.value ?? "";
    const sum = sums[week.indexOf(part("weekday"))][Number(part("hour"))];
    sum.userMs += (mostUsers + fewestUsers) / 2 * measuredMs;
    sum.measuredMs += measuredMs;
    sum.dates.add(dateAt(startsAt, timeZone));
  }
  const cells = sums.map((hours) =>
    hours.map(({ userMs, measuredMs, dates }): HeatCell => ({
      average: measuredMs > 0 ? userMs / measuredMs : null,
      days: dates.size,
    }))
  );
  return {
    weekdays: cells.map((hours, index) => ({ name: week[index], hours })),
    weeks: Math.max(...cells.flat().map(({ days }) => days)),
  };
}

/** The numbers of a channel over time, up to the end of yesterday. */
export async function numbersReport(
  database: Database,
  channel: Sight & { key: string },
  { range, timeZone, now, alerts }: {
    range: NumbersRange;
    timeZone: string;
    now: number;
    /** Of the channel. */
    alerts: readonly Crossing[];
  },
): Promise<NumbersReport> {
  const today = dateAt(now, timeZone);
  const [first, last] = [dateAfter(today, -numberRanges[range]), dateAfter(today, -1)];
  const days = await new DailyNumbers(database, channel.key).each(first, last);
  const { startsAt } = dayOf(first, timeZone);
  const endsAt = dayOf(last, timeZone).endsAt;
  const quartersSince = dayOf(dateAfter(today, -numberRanges.month), timeZone).startsAt;
  const heatSince = dayOf(dateAfter(today, -heatDays), timeZone).startsAt;
  const quarters = await new History(database, channel.key).measured(quartersSince, now, now);
  const ofWeeks = quarters.filter((quarter) =>
    quarter.startsAt >= heatSince && quarter.startsAt < endsAt
  );
  return {
    range,
    timeZone,
    days,
    startsAt,
    endsAt,
    heat: heatMap(ofWeeks, timeZone),
    events: await historyEvents(database, channel, startsAt, { quarters, alerts }),
  };
}

/** All stored days as CSV. Times are ISO 8601 in UTC; a number that is not known is empty. */
export function numbersCsv(days: readonly DayNumbers[]): string {
  return [csvLine(columns), ...days.map(lineOf)].join("");
}

const columns = [
  "day",
  "starts_at",
  "peak",
  "peak_at",
  "average",
  "people",
  "visits",
  "median_visit_seconds",
  "p90_visit_seconds",
  "recorded_seconds",
  "day_seconds",
];

function lineOf(day: DayNumbers): string {
  const time = (at: number | null) => at === null ? "" : new Date(at).toISOString();
  const { averageHundredths: average } = day;
  const numbers = [
    average === null ? null : average / 100,
    day.people,
    day.visits,
    day.medianSeconds,
    day.p90Seconds,
    day.recordedSeconds,
    (day.endsAt - day.startsAt) / 1_000,
  ];
  return csvLine([
    day.day,
    time(day.startsAt),
    `${day.mostUsers ?? ""}`,
    time(day.mostUsersAt),
    ...numbers.map((number) => `${number ?? ""}`),
  ]);
}
