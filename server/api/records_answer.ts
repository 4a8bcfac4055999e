import type { z } from "zod";
import { activitiesOf } from "../activity/activity.ts";
import type { Accounts } from "../accounts/accounts.ts";
import { readCursor } from "../database/cursor.ts";
import { allows, mostDays, usualDays } from "@/shared/api.ts";
import { newUnguessableId } from "../accounts/digest.ts";
import { auditWithToken } from "../audit/audit.ts";
import type { AuditLog } from "../audit/audit_log.ts";
import type { Database } from "../database/database.ts";
import { DailyNumbers, type StoredDay } from "../history/daily_numbers.ts";
import { dateAfter, dateAt, dayOf } from "../history/day_summary.ts";
import { addMark } from "../history/marks.ts";
import { minuteMs } from "../history/minute_measure.ts";
import type { SendingLimit } from "../net/window_limits.ts";
import { ApiError, countedFor, invalidField } from "./api_access.ts";
import type { ApiToken } from "./api_tokens.ts";
import type {
  activityAnswer,
  activityQuery,
  daysAnswer,
  daysQuery,
  historyAnswer,
  historyQuery,
  markAnswer,
  markBody,
} from "./api_schemas.ts";
import { headOf, isoTime, type StatusSource } from "./online_answer.ts";

/** What answers about what was recorded are made of. */
export interface RecordsSource extends StatusSource {
  accounts: Accounts;
}

/** What the numbers of days are made of. */
export interface DaysSource extends StatusSource {
  database: Database;
  /** In which days begin. */
  timeZone: string;
}

/** How many were online over time. @throws {ApiError} 404 */
export async function answerHistory(
  { counted, onlineRecorder, servers }: RecordsSource,
  token: ApiToken,
  { range, ...choice }: z.infer<typeof historyQuery>,
): Promise<z.infer<typeof historyAnswer>> {
  const channel = countedFor(counted, token, choice);
  const { history, unsaved } = onlineRecorder.historyOf(channel.key);
  const { intervalMs, points } = await history.read(range, Date.now(), unsaved());
  return {
    ...headOf(channel, servers),
    range,
    interval_seconds: intervalMs / 1_000,
    points: points.map(({ measured, startsAt }) => ({
      at: isoTime(startsAt),
      most: measured?.mostUsers ?? null,
      guests: measured?.guestsAtMost ?? null,
      fewest: measured?.fewestUsers ?? null,
      most_active: measured?.mostActive ?? null,
    })),
  };
}

/** The numbers of each day of a range, up to yesterday. @throws {ApiError} 400, 404 */
export async function answerDays(
  { counted, database, onlineRecorder, servers, timeZone }: DaysSource,
  token: ApiToken,
  { from, until, ...choice }: z.infer<typeof daysQuery>,
): Promise<z.infer<typeof daysAnswer>> {
  const channel = countedFor(counted, token, choice);
  const today = dateAt(Date.now(), timeZone);
  const end = until ?? today;
  const first = from ?? dateAfter(end, -usualDays);
  if (first > end) throw invalidField("from", "It must not be after until.");
  if (dateAfter(first, mostDays) < end) {
    throw invalidField("from", `It must be at most ${mostDays} days before until.`);
  }
  const last = dateAfter(end < today ? end : today, -1);
  const days = await new DailyNumbers(database, channel.key).each(first, last);
  const { history, unsaved } = onlineRecorder.historyOf(channel.key);
  const record = await history.highestEver(unsaved());
  return {
    ...headOf(channel, servers),
    time_zone: timeZone,
    record: record &&
      { users: record.users, guests: record.guests ?? null, at: isoTime(record.at) },
    days: days.map((day) => dayFields(day, timeZone)),
  };
}

function dayFields({ date, numbers }: StoredDay, timeZone: string) {
  const { startsAt, endsAt } = numbers ?? dayOf(date, timeZone);
  const { averageHundredths = null, mostUsersAt = null } = numbers ?? {};
  return {
    day: date,
    starts_at: isoTime(startsAt),
    day_seconds: (endsAt - startsAt) / 1_000,
    recorded_seconds: numbers?.recordedSeconds ?? null,
    peak: numbers?.mostUsers ?? null,
    peak_at: mostUsersAt === null ? null : isoTime(mostUsersAt),
    average: averageHundredths === null ? null : averageHundredths / 100,
    people: numbers?.people ?? null,
    visits: numbers?.visits ?? null,
    median_visit_seconds: numbers?.medianSeconds ?? null,
    p90_visit_seconds: numbers?.p90Seconds ?? null,
  };
}

/** Who joined and left, the newest first, as far as the token's scope goes. @throws {ApiError} 400, 404 */
export async function answerActivity(
  { accounts, counted, onlineRecorder, servers }: RecordsSource,
  token: ApiToken,
  { from, until, limit, after, ...choice }: z.infer<typeof activityQuery>,
): Promise<z.infer<typeof activityAnswer>> {
  const channel = countedFor(counted, token, choice);
  if (after !== undefined && readCursor(after) === null) {
    throw invalidField("after", "It is not the next of an answer.");
  }
  const since = from === undefined ? undefined : Date.parse(from);
  const before = until === undefined ? undefined : Date.parse(until);
  const { entries, next } = await onlineRecorder.activity.read(
    { channel: channel.key, since, until: before, before: after, limit },
  );
  const isNamed = allows(token.scope, "names");
  const named = await activitiesOf(
    entries,
    async (ids) => isNamed ? await accounts.findAll(ids) : [],
  );
  return {
    ...headOf(channel, servers),
    entries: named.map((entry) => ({
      at: isoTime(entry.at),
      id: entry.id,
      ...isNamed && { name: entry.name },
      change: entry.change,
      reason: entry.change === "left" ? entry.reason : null,
    })),
    next,
  };
}

/** How far a mark may lie back, and ahead, as clocks differ. */
const [oldestMs, newestMs] = [400 * 24 * 60 * minuteMs, 5 * minuteMs];

/** Where marks are added. */
export interface MarksSource {
  auditLog: AuditLog;
  counted: StatusSource["counted"];
  database: Database;
  markLimit: SendingLimit;
}

/**
 * Adds a mark with a token, after the admin log has it.
 *
 * @param at when it happened, as ISO 8601; now without it.
 * @throws {ApiError} 400 for a time too far away, 404 for a token that reads no counted channel, 429 when it adds
 * too many.
 */
export async function answerMark(
  { auditLog, counted, database, markLimit }: MarksSource,
  token: ApiToken,
  { text, at: stated }: z.infer<typeof markBody>,
): Promise<z.infer<typeof markAnswer>> {
  countedFor(counted, token, {});
  const now = Date.now();
  const at = stated === undefined ? now : Date.parse(stated);
  if (at > now + newestMs) throw invalidField("at", "It must not be in the future.");
  if (at < now - oldestMs) throw invalidField("at", "It must be within the last 400 days.");
  const wait = markLimit.take(token.id, now);
  if (wait > 0) {
    const message = `Too many marks. Try again in ${wait} s.`;
    throw new ApiError(429, "too_many_requests", message, { "retry-after": String(wait) });
  }
  const { app, channel, name: createdBy } = token;
  const id = newUnguessableId();
  const target = { id, name: text };
  await auditWithToken(auditLog, token, { action: "mark_added", target, details: {} });
  await addMark(database, { id, at, text, createdBy, app, channel }, now);
  return { id, at: isoTime(at), text };
}
