/**
 * What is stored of a person: to hand it out, and to forget it.
 *
 * This file finds a person in all tables, `person_export.ts` writes that as JSON, and `person_removal.ts` deletes it
 * and puts “A removed person” into the admin log. The actions of admins, and what servers keep in memory, are
 * in `server/people/privacy.ts`. `docs/privacy.md` says what is stored where, and for how long.
 *
 * The promises: once a person who is offline has been forgotten, neither the database and its files nor the memory of a
 * server has the person's id or name, apart from events on their way to webhooks, which are tried for five minutes.
 * The admin log still has what was done and when. What is exported has no secret and no other person's name.
 *
 * The trade-off: a person who is online is known and recorded, so only people who have left can be forgotten.
 * Forgetting them ends a block. Backups and what webhooks have received are not Rollcall's to change.
 *
 * @module
 */
import { type Kysely, sql } from "kysely";
import { z } from "zod";
import { isOfUser } from "../activity/activity_rows.ts";
import { isAfter } from "../database/cursor.ts";
import type { Database } from "../database/database.ts";
import type { Tables } from "../database/schema.ts";
import { storedText } from "../database/stored_setting.ts";
import { maxUserIdLength } from "@/realtime/protocol/member.ts";

/** A user of an app, as the database knows one. */
export interface StoredPerson {
  id: string;
  appId: string;
  /** Of another app than that of Rollcall's own pages: the names that the admin log has for it. */
  otherApp?: readonly string[];
}

/** A row of the admin log. */
const auditRow = z.object({
  number: z.number(),
  at: z.number(),
  actorId: z.string(),
  actorName: z.string(),
  action: z.string(),
  targetId: z.string().nullable(),
  targetName: z.string().nullable(),
  details: z.string(),
});

/** A row of the admin log, with the details as JSON. */
export type AuditRow = z.infer<typeof auditRow>;

/** Whether a person acted in an entry of the admin log, as an account did. */
export function isActor(
  { actorId }: AuditRow,
  person: StoredPerson,
): boolean {
  return person.otherApp === undefined && actorId === storedId(person);
}

/** Whether an entry of the admin log is of an action on a person. */
export function isTarget(
  row: AuditRow,
  person: StoredPerson,
) {
  if (row.targetId !== storedId(person)) return false;
  const { app } = JSON.parse(row.details);
  const { otherApp } = person;
  return otherApp ? otherApp.includes(app) : app === undefined;
}

/** The id as the tables have it. */
export function storedId({ id }: StoredPerson): string {
  return storedText(id, maxUserIdLength);
}

/** The entries of the admin log that name an id, the oldest first. */
export async function auditRowsOf(
  queries: Kysely<Tables>,
  person: StoredPerson,
): Promise<AuditRow[]> {
  const id = storedId(person);
  const rows = await queries.selectFrom("auditEntry").selectAll()
    .where((of) => of.or([of("actorId", "=", id), of("targetId", "=", id)]))
    .orderBy("number").execute();
  return rows.map((row) => auditRow.parse(row))
    .filter((row) => isActor(row, person) || isTarget(row, person));
}

/** SQLite takes a thousand conditions of a statement. */
const maxNames = 200;

/**
 * The names under which a person is stored, besides the id: those that the app gave, and those of the admin log.
 * Of more than 200 names in the activity, some.
 */
export async function namesOf(
  queries: Kysely<Tables>,
  person: StoredPerson,
): Promise<Set<string>> {
  const { appId, otherApp, id } = person;
  const theirs = isOfUser(id, otherApp && appId);
  const names: (string | null)[] = [];
  for (const table of ["attendance", "attending"] as const) {
    const rows = await queries.selectFrom(table).select("name").distinct()
      .where(theirs).where("name", "is not", null).limit(maxNames).execute();
    names.push(...rows.map(({ name }) => name));
  }
  const blocked = await queries.selectFrom("blockedPerson").select("name")
    .where("appId", "=", appId).where("userId", "=", storedId(person)).execute();
  names.push(...blocked.map(({ name }) => name));
  for (const row of await auditRowsOf(queries, person)) {
    names.push(isTarget(row, person) ? row.targetName : row.actorName);
  }
  const known = names.filter((name): name is string => !!name && name !== storedId(person));
  return new Set([...new Set(known)].slice(0, 2 * maxNames));
}

const visitRow = z.object({
  number: z.number(),
  channel: z.string(),
  at: z.number(),
  change: z.string(),
  reason: z.string().nullable(),
  name: z.string().nullable(),
});

/** Entries that are read at a time. */
const pageLength = 1_000;

/** The joins and leaves of a person, newest first, some at a time. */
export async function* activityOf(
  { queries }: Database,
  { id, appId, otherApp }: StoredPerson,
): AsyncGenerator<Omit<z.infer<typeof visitRow>, "number">[]> {
  let last: { at: number; number: number } | undefined;
  while (true) {
    let query = queries.selectFrom("attendance")
      .select(["number", "channel", "at", "change", "reason", "name"])
      .where(isOfUser(id, otherApp && appId));
    if (last) query = query.where(isAfter(last));
    const rows = (await query.orderBy("at", "desc").orderBy("number", "desc").limit(
      pageLength,
    )
      .execute()).map((row) => visitRow.parse(row));
    yield rows.map(({ number: _, ...row }) => row);
    if (rows.length < pageLength) return;
    last = rows[rows.length - 1];
  }
}

/** The events of a text of the outbox that are about a user, and the others. */
export function partedEvents(
  events: string,
  userId: string,
): { theirs: unknown[]; others: unknown[] } {
  const all: unknown[] = JSON.parse(`[${events}]`);
  const isTheirs = (event: unknown) =>
    z.object({ user_id: z.literal(userId) }).safeParse(event).success;
  return {
    theirs: all.filter(isTheirs),
    others: all.filter((event) => !isTheirs(event)),
  };
}

/** The rows of the outbox with events about a person. */
export async function outboxRowsOf(
  queries: Kysely<Tables>,
  { id, appId }: StoredPerson,
): Promise<{ id: string; events: string }[]> {
  const pattern = patternOf(`"user_id":${JSON.stringify(id)}`);
  return await queries.selectFrom("undeliveredWebhook").select(["id", "events"])
    .where("appId", "=", appId).where(
      sql<boolean>`events like ${pattern} escape '\\'`,
    )
    .execute();
}

/**
 * The rules of alerts about a person, and the messages about them: one for each receiver. A rule that was deleted, or
 * is about another person since, has left messages, too.
 */
export async function alertRowsOf(
  queries: Kysely<Tables>,
  { id, appId, otherApp }: StoredPerson,
): Promise<{
  rules: { id: string; channel: string; state: string }[];
  messages: { id: string; message: string }[];
}> {
  const pattern = patternOf(`"userId":${JSON.stringify(id)}`);
  const rules = await queries.selectFrom("alertRule").select(["id", "channel", "state"])
    .where(sql<boolean>`state like ${pattern} escape '\\'`)
    .orderBy("createdAt").orderBy("id").execute();
  const messages = await queries.selectFrom("alertDelivery").select(["id", "message"])
    .where(sql<boolean>`message like ${pattern} escape '\\'`)
    .orderBy("at").orderBy("id").execute();
  return {
    rules: rules.filter(({ channel }) =>
      otherApp ? channel.startsWith(`${appId}/`) : !channel.includes("/")
    ),
    messages: messages.filter(({ message }) => {
      const { app } = JSON.parse(message) as { app?: string };
      return app === (otherApp && appId);
    }),
  };
}

/** The pattern of `like … escape '\'` for what contains a text. */
export function patternOf(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, "\\$&")}%`;
}

/** Whether anything but an account is stored of a person. */
export async function isStored(
  queries: Kysely<Tables>,
  person: StoredPerson,
): Promise<boolean> {
  const { id, appId, otherApp } = person;
  for (const table of ["attendance", "attending"] as const) {
    const row = await queries.selectFrom(table).select("userId").where(
      isOfUser(id, otherApp && appId),
    )
      .limit(1).executeTakeFirst();
    if (row) return true;
  }
  const block = await queries.selectFrom("blockedPerson").select("userId")
    .where("appId", "=", appId).where("userId", "=", storedId(person))
    .executeTakeFirst();
  const { rules, messages } = await alertRowsOf(queries, person);
  return block !== undefined || rules.length > 0 || messages.length > 0 ||
    (await auditRowsOf(queries, person)).length > 0 ||
    (await outboxRowsOf(queries, person)).length > 0;
}
