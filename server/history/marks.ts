import type { Kysely } from "kysely";
import { z } from "zod";
import type { Database } from "../database/database.ts";
import type { Tables } from "../database/schema.ts";
import type { Crossing } from "@/shared/alert.ts";
import { mostMarks } from "@/shared/limits.ts";
import { isWithin, type Limit, type Sight } from "@/shared/permissions.ts";
import { type Interval, minuteMs } from "./minute_measure.ts";
import { quarterHourMs } from "./stored_history.ts";

const rowSchema = z.object({
  id: z.string(),
  at: z.number(),
  text: z.string(),
  createdBy: z.string(),
  app: z.string().nullable(),
  channel: z.string().nullable(),
});

/** Something that happened outside, such as a deploy, in the history of what its token may read. */
export interface Mark extends Limit {
  id: string;
  /** In ms since 1970. */
  at: number;
  text: string;
  /** The name of the token. */
  createdBy: string;
}

/** Stores a mark. Beyond {@link mostMarks}, those that were added first go. */
export async function addMark(
  database: Database,
  mark: Mark,
  createdAt: number,
): Promise<void> {
  await database.exclusively(async (transaction) => {
    await transaction.insertInto("mark").values({ ...mark, createdAt }).execute();
    const old = await transaction.selectFrom("mark").select("id")
      .orderBy("createdAt", "desc").orderBy("id").limit(mostMarks).offset(mostMarks).execute();
    if (old.length > 0) {
      await transaction.deleteFrom("mark").where("id", "in", old.map(({ id }) => id)).execute();
    }
  });
}

/** The marks of a channel from a time on, newest first. */
export async function listMarks(
  { queries }: Database,
  sight: Sight,
  since: number,
): Promise<Mark[]> {
  const rows = await queries.selectFrom("mark").selectAll().where("at", ">=", since)
    .orderBy("at", "desc").orderBy("id").execute();
  return rows.map((row) => rowSchema.parse(row)).filter((mark) => isWithin([mark], sight));
}

/** The mark with an id; null when there is none. */
export async function findMark(queries: Kysely<Tables>, id: string): Promise<Mark | null> {
  const row = await queries.selectFrom("mark").selectAll().where("id", "=", id).executeTakeFirst();
  return row ? rowSchema.parse(row) : null;
}

/** Removes a mark. @returns null when there is none with this id */
export async function removeMark(
  database: Database,
  id: string,
  inTransaction: (transaction: Kysely<Tables>, mark: { id: string; name: string }) => Promise<void>,
): Promise<Mark | null> {
  return await database.exclusively(async (transaction) => {
    const mark = await findMark(transaction, id);
    if (!mark) return null;
    await transaction.deleteFrom("mark").where("id", "=", id).execute();
    await inTransaction(transaction, { id, name: mark.text });
    return mark;
  });
}

/** A time in which nothing was recorded: when it began, in ms since 1970, and how much is missing. */
export interface Gap {
  kind: "gap";
  at: number;
  missingMs: number;
}

/** What the history has besides numbers; times are in ms since 1970. */
export type HistoryEvent =
  | { kind: "mark"; at: number; id: string; text: string; createdBy: string }
  | { kind: "alert" } & Crossing
  | Gap;

/** Gaps that are shorter are moments. */
const shortestGapMs = minuteMs;

/** The times in which nothing was recorded, by quarters of an hour, between the first and the last of them. */
export function gapsIn(quarters: readonly Interval[]): Gap[] {
  const byStart = new Map(quarters.map((quarter) => [quarter.startsAt, quarter]));
  const starts = [...byStart.keys()].sort((one, other) => one - other);
  const gaps: Gap[] = [];
  let open: Gap | null = null;
  // The first began when recording did, and the last is not over.
  const [first = 0, last = 0] = [starts[0] + quarterHourMs, starts.at(-1)];
  for (let at = first; at < last; at += quarterHourMs) {
    const quarter = byStart.get(at);
    const missingMs = quarterHourMs - (quarter?.measuredMs ?? 0);
    if (missingMs < shortestGapMs) open = null;
    else if (open) open.missingMs += missingMs;
    else {
      const end = at + quarterHourMs;
      const begins = quarter && quarter.lastAt < end ? quarter.lastAt : at;
      gaps.push(open = { kind: "gap", at: begins, missingMs });
    }
  }
  return gaps;
}

/** The most events that a page lists. */
const mostEvents = 200;

/** The marks, alerts and gaps of a channel from a time on, newest first. */
export async function historyEvents(
  database: Database,
  sight: Sight,
  since: number,
  { quarters, alerts }: { quarters: readonly Interval[]; alerts: readonly Crossing[] },
): Promise<HistoryEvent[]> {
  const marks = await listMarks(database, sight, since);
  const events: HistoryEvent[] = [
    ...marks.map(({ id, at, text, createdBy }) => (
      { kind: "mark" as const, id, at, text, createdBy }
    )),
    ...alerts.map((crossing) => ({ kind: "alert" as const, ...crossing })),
    ...gapsIn(quarters),
  ];
  return events.filter(({ at }) => at >= since).sort((one, other) => other.at - one.at)
    .slice(0, mostEvents);
}
