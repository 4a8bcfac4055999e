import type { z } from "zod";
import { activitiesOf } from "../activity/activity.ts";
import type { Accounts } from "../accounts/accounts.ts";
import { readCursor } from "../database/cursor.ts";
import { allows } from "@/shared/api.ts";
import { countedFor, invalidField } from "./api_access.ts";
import type { ApiToken } from "./api_tokens.ts";
import type { activityAnswer, activityQuery, historyAnswer, historyQuery } from "./api_schemas.ts";
import { headOf, isoTime, type StatusSource } from "./online_answer.ts";

/** What answers about what was recorded are made of. */
export interface RecordsSource extends StatusSource {
  accounts: Accounts;
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
