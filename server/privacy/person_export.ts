import { z } from "zod";
import { secondFactorOf } from "../accounts/second_factor_rows.ts";
import { isOfUser } from "../activity/activity_rows.ts";
import { storedLimits } from "../accounts/account_fields.ts";
import { alertMessageSchema } from "../alert/alert_message.ts";
import { ruleSettingSchema } from "../alert/alert_rules.ts";
import { readable, storedJson } from "../alert/alert_schemas.ts";
import type { Database } from "../database/database.ts";
import {
  activityOf,
  alertRowsOf,
  auditRowsOf,
  isActor,
  namesOf,
  outboxRowsOf,
  partedEvents,
  storedId,
  type StoredPerson,
} from "./stored_person.ts";

const userRow = z.object({
  name: z.string(),
  email: z.string(),
  role: z.string(),
  limits: storedLimits,
  language: z.string().nullable(),
  banned: z.union([z.boolean(), z.literal([0, 1])]).transform(Boolean),
  createdAt: z.coerce.date(),
  updatedAt: z.coerce.date(),
}).transform(({ banned, ...user }) => ({ ...user, isDisabled: banned }));

const sessionRow = z.object({
  createdAt: z.coerce.date(),
  updatedAt: z.coerce.date(),
  expiresAt: z.coerce.date(),
  ipAddress: z.string().nullable(),
  userAgent: z.string().nullable(),
});

/** The account with an id, without what signs it in; null where there is none. */
async function accountOf({ queries }: Database, id: string) {
  const user = await queries.selectFrom("user").selectAll().where("id", "=", id)
    .executeTakeFirst();
  if (!user) return null;
  const sessions = await queries.selectFrom("session").selectAll().where(
    "userId",
    "=",
    id,
  )
    .orderBy("createdAt").execute();
  const links = await queries.selectFrom("accountLink").select([
    "createdAt",
    "expiresAt",
  ])
    .where("userId", "=", id).execute();
  const secondFactor = await secondFactorOf(queries, id);
  return {
    ...userRow.parse(user),
    sessions: sessions.map((row) => sessionRow.parse(row)),
    secondFactor: secondFactor && {
      oneTimeCodesSince: secondFactor.codesSince === null
        ? null
        : timeText(secondFactor.codesSince),
      passkeys: secondFactor.passkeys.map(({ name, createdAt }) => ({
        name,
        createdAt: timeText(createdAt),
      })),
      recoveryCodesLeft: secondFactor.recoveryCodesLeft,
    },
    resetLinks: links.map(({ createdAt, expiresAt }) => ({
      createdAt: timeText(createdAt),
      expiresAt: timeText(expiresAt),
    })),
  };
}

/** What keeps a person out. */
async function blocksOf({ queries }: Database, person: StoredPerson) {
  const blocks = await queries.selectFrom("blockedPerson").select([
    "name",
    "reason",
    "blockedAt",
  ])
    .where("appId", "=", person.appId).where("userId", "=", storedId(person))
    .execute();
  const ofGuest = person.otherApp ? [] : await queries.selectFrom("blockedGuest")
    .select("blockedAt").where("guestId", "=", storedId(person)).execute();
  return [...blocks, ...ofGuest].map(({ blockedAt, ...block }) => ({
    ...block,
    blockedAt: timeText(blockedAt),
  }));
}

/** A rule of alerts without its receivers, who are other people. */
const alertRuleRow = z.object({
  channel: z.string(),
  state: storedJson(z.object({ rule: ruleSettingSchema.omit({ receivers: true }) })),
}).transform(({ channel, state: { rule } }) => ({ channel, ...rule }));

const alertMessageRow = z.object({ message: storedJson(alertMessageSchema) })
  .transform(({ message: { name, channel, at, phase, condition } }) => (
    { rule: name, channel, at: timeText(at), phase, condition }
  ));

/** What admins are told when the person comes or goes, and were. */
async function alertsOf({ queries }: Database, person: StoredPerson) {
  const { rules, messages } = await alertRowsOf(queries, person);
  return {
    alertRules: readable(rules, alertRuleRow),
    alertMessages: readable(messages, alertMessageRow),
  };
}

function timeText(at: number): string {
  return new Date(at).toISOString();
}

/**
 * What is stored of a person, as the pieces of one JSON object. It has no secret, and of other people neither
 * name nor id: who acted on the person is left out of the admin log, and on whom the person acted.
 *
 * @param more fields besides what the database has, such as what is known while the person is online.
 */
export async function* personExport(
  database: Database,
  person: StoredPerson,
  more: Record<string, unknown> = {},
): AsyncGenerator<string> {
  const { queries } = database;
  const open = await queries.selectFrom("attending").select([
    "channel",
    "since",
    "name",
  ])
    .where(isOfUser(person.id, person.otherApp && person.appId)).execute();
  const audit = await auditRowsOf(queries, person);
  const waiting = await outboxRowsOf(queries, person);
  const head = {
    exportedAt: timeText(Date.now()),
    id: person.id,
    app: person.appId,
    names: [...await namesOf(queries, person)],
    account: person.otherApp ? null : await accountOf(database, person.id),
    ...more,
    onlineSince: open.map(({ since, ...visit }) => ({
      ...visit,
      since: timeText(since),
    })),
    blocks: await blocksOf(database, person),
    ...await alertsOf(database, person),
    auditLog: audit.map((row) => ({
      at: timeText(row.at),
      action: row.action,
      is: isActor(row, person) ? "by this person" : "about this person",
      details: JSON.parse(row.details),
    })),
    webhookEventsToBeSent: waiting.flatMap(({ events }) => partedEvents(events, person.id).theirs),
  };
  yield `${JSON.stringify(head, null, 2).slice(0, -"\n}".length)},\n  "activity": [`;
  let separator = "\n";
  for await (const visits of activityOf(database, person)) {
    const lines = visits.map(({ at, ...visit }) => JSON.stringify({ at: timeText(at), ...visit }));
    if (lines.length > 0) yield `${separator}    ${lines.join(",\n    ")}`;
    separator = ",\n";
  }
  yield "\n  ]\n}\n";
}
