import type { Kysely } from "kysely";
import type { Tables } from "../schema.ts";
import type { Engine } from "../database.ts";
import { columnTypes, createTable } from "../new_table.ts";
import { createHash, randomBytes } from "node:crypto";
import { z } from "zod";

/** Gives the history the number of active users; null where it is not known, as in all that is stored. */
export async function addActiveUsers(queries: Kysely<Tables>): Promise<void> {
  await queries.schema.alterTable("onlineInterval").addColumn("mostActive", "integer").execute();
}

/**
 * Gives the history the guests among the most users, as they were at that moment; null where they are not known, as in
 * all that is stored.
 */
export async function addGuests(queries: Kysely<Tables>): Promise<void> {
  await queries.schema.alterTable("onlineInterval").addColumn("guestsAtMost", "integer").execute();
}

/** Whether an embed gives the number of active users, which none did. */
export async function addEmbedActivity(queries: Kysely<Tables>): Promise<void> {
  await queries.schema.alterTable("embed")
    .addColumn("activity", "text", (column) => column.notNull().defaultTo("none")).execute();
}

/** Whether the page of a wallboard link says how many users are active, which its address alone did. */
export async function addWallboardActivity(queries: Kysely<Tables>): Promise<void> {
  await queries.schema.alterTable("wallboardLink")
    .addColumn("activity", "text", (column) => column.notNull().defaultTo("none")).execute();
}

/** Tokens with which other programs read who is online. */
export async function createApiTokenTable(queries: Kysely<Tables>, engine: Engine): Promise<void> {
  const { milliseconds } = columnTypes[engine];
  await createTable(queries, "apiToken")
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("tokenHash", "text", (column) => column.notNull().unique())
    .addColumn("scope", "text", (column) => column.notNull())
    .addColumn("app", "text")
    .addColumn("channel", "text")
    .addColumn("createdAt", milliseconds, (column) => column.notNull())
    .addColumn("createdBy", "text", (column) => column.notNull())
    .addColumn("lastUsedAt", milliseconds)
    .execute();
}

/** Tags that count the visitors of other sites. */
export async function createSiteTagTable(queries: Kysely<Tables>, engine: Engine): Promise<void> {
  const { milliseconds } = columnTypes[engine];
  await createTable(queries, "siteTag")
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("origins", "text", (column) => column.notNull())
    .addColumn("createdAt", milliseconds, (column) => column.notNull())
    .addColumn("createdBy", "text", (column) => column.notNull())
    .addColumn("lastUsedAt", milliseconds)
    .execute();
}

/**
 * People of operators' own apps whom an admin has blocked, each in one app. Users with an account are disabled
 * instead, and guests have a table of their own.
 */
export async function createBlockedPersonTable(
  queries: Kysely<Tables>,
  engine: Engine,
): Promise<void> {
  await queries.schema.createTable("blockedPerson")
    .addColumn("appId", "text", (column) => column.notNull())
    .addColumn("userId", "text", (column) => column.notNull())
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("reason", "text", (column) => column.notNull())
    .addColumn("blockedAt", columnTypes[engine].milliseconds, (column) => column.notNull())
    .addColumn("blockedBy", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("blockedPerson_key", ["appId", "userId"])
    .execute();
  await queries.schema.createIndex("blockedPerson_blockedAt").on("blockedPerson")
    .columns(["blockedAt"]).execute();
}

/** The apps and channels that an account is limited to, as JSON; null for no limit, as all accounts have until now. */
export async function addAccountLimits(queries: Kysely<Tables>): Promise<void> {
  await queries.schema.alterTable("user").addColumn("limits", "text").execute();
}

/** The same of an invitation, for the account to come. */
export async function addInviteLimits(queries: Kysely<Tables>): Promise<void> {
  await queries.schema.alterTable("accountLink").addColumn("limits", "text").execute();
}

/** The language that a user has chosen; null for the browser's, as all accounts have until now. */
export async function addAccountLanguage(queries: Kysely<Tables>): Promise<void> {
  await queries.schema.alterTable("user").addColumn("language", "text").execute();
}

/** Rules of the alert, whom they are told, and what is on its way to them. */
export async function createAlertTables(queries: Kysely<Tables>, engine: Engine): Promise<void> {
  const { milliseconds } = columnTypes[engine];
  await createTable(queries, "alertRule")
    .addColumn("channel", "text", (column) => column.notNull())
    .addColumn("state", "text", (column) => column.notNull())
    .addColumn("createdAt", milliseconds, (column) => column.notNull())
    .execute();
  await createTable(queries, "alertReceiver")
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("kind", "text", (column) => column.notNull())
    .addColumn("settings", "text", (column) => column.notNull())
    .addColumn("createdAt", milliseconds, (column) => column.notNull())
    .addColumn("createdBy", "text", (column) => column.notNull())
    .execute();
  await createTable(queries, "alertDelivery")
    .addColumn("receiver", "text", (column) => column.notNull())
    .addColumn("message", "text", (column) => column.notNull())
    .addColumn("at", milliseconds, (column) => column.notNull())
    .addColumn("state", "text", (column) => column.notNull())
    .addColumn("attempts", "integer", (column) => column.notNull())
    .addColumn("nextAt", milliseconds, (column) => column.notNull())
    .addColumn("error", "text")
    .execute();
  await queries.schema.createIndex("alertDelivery_state_at").on("alertDelivery")
    .columns(["state", "at"]).execute();
}

/** An alert as it was stored before there were several; what it has besides is kept as it is. */
const storedAlert = z.looseObject({
  setting: z.looseObject({ webhookUrl: z.string().optional() }),
});

/** The name of the alert of the users online in the table of settings; those of other channels begin with it. */
const settingName = "alert";

/**
 * Makes each alert of the settings the first rule of its channel, and its webhook a receiver, which is told as
 * before. Where there was no webhook at all, the rules tell all receivers to come.
 */
export async function moveAlerts(queries: Kysely<Tables>): Promise<void> {
  const rows = await queries.selectFrom("setting").selectAll()
    .where((of) => of.or([of("name", "=", settingName), of("name", "like", `${settingName} %`)]))
    .orderBy("name").execute();
  const alerts = rows.map(({ name, value }) => ({ name, ...storedAlert.parse(JSON.parse(value)) }));
  const urls = new Set(alerts.map(({ setting }) => setting.webhookUrl));
  const receivers = new Map<string | undefined, string>();
  for (const url of urls) {
    if (url !== undefined) receivers.set(url, await addReceiver(queries, url));
  }
  for (const { name, setting: { webhookUrl, ...setting }, ...state } of alerts) {
    const channel = name === settingName ? "presence-chart" : name.slice(settingName.length + 1);
    const receiver = receivers.get(webhookUrl);
    const told = receivers.size > 0 && { receivers: receiver === undefined ? [] : [receiver] };
    const moved = { setting: { ...setting, ...told }, ...state };
    const id = createHash("sha256").update(channel).digest("hex").slice(0, 32);
    await queries.insertInto("alertRule")
      .values({ id, channel, state: JSON.stringify(moved), createdAt: Date.now() }).execute();
    await queries.deleteFrom("setting").where("name", "=", name).execute();
  }
}

async function addReceiver(queries: Kysely<Tables>, url: string): Promise<string> {
  const { hostname } = new URL(url);
  const id = randomBytes(16).toString("base64url");
  await queries.insertInto("alertReceiver").values({
    id,
    name: hostname,
    kind: hostname === "hooks.slack.com" ? "slack" : "webhook",
    settings: JSON.stringify({ url }),
    createdAt: Date.now(),
    createdBy: "",
  }).execute();
  return id;
}

/**
 * One-time codes and recovery codes of users, and what vouches for a session beside a password: the column is empty
 * for sessions from before.
 */
export async function createSecondFactorTables(
  queries: Kysely<Tables>,
  engine: Engine,
): Promise<void> {
  const { milliseconds } = columnTypes[engine];
  await queries.schema.createTable("oneTimeCode")
    .addColumn("userId", "text", (column) => column.primaryKey())
    .addColumn("encryptedSecret", "text", (column) => column.notNull())
    .addColumn("lastStep", milliseconds, (column) => column.notNull())
    .addColumn("createdAt", milliseconds, (column) => column.notNull())
    .execute();
  await queries.schema.createTable("recoveryCode")
    .addColumn("userId", "text", (column) => column.notNull())
    .addColumn("codeHash", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("recoveryCode_key", ["userId", "codeHash"])
    .execute();
  await queries.schema.alterTable("session").addColumn("vouchedBy", "text").execute();
}

/** Passkeys of users: public keys, of which the private ones are on phones, computers and security keys. */
export async function createPasskeyTable(queries: Kysely<Tables>, engine: Engine): Promise<void> {
  const { milliseconds } = columnTypes[engine];
  await createTable(queries, "passkey")
    .addColumn("userId", "text", (column) => column.notNull())
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("publicKey", "text", (column) => column.notNull())
    .addColumn("counter", milliseconds, (column) => column.notNull())
    .addColumn("transports", "text", (column) => column.notNull())
    .addColumn("createdAt", milliseconds, (column) => column.notNull())
    .execute();
  await queries.schema.createIndex("passkey_userId").on("passkey").columns(["userId"]).execute();
}

/** The numbers of each day of the counted channels. */
export async function createDayTable(queries: Kysely<Tables>, engine: Engine): Promise<void> {
  const { milliseconds } = columnTypes[engine];
  await queries.schema.createTable("onlineDay")
    .addColumn("channel", "text", (column) => column.notNull())
    .addColumn("day", "text", (column) => column.notNull())
    .addColumn("startsAt", milliseconds, (column) => column.notNull())
    .addColumn("endsAt", milliseconds, (column) => column.notNull())
    .addColumn("mostUsers", "integer")
    .addColumn("mostUsersAt", milliseconds)
    .addColumn("averageHundredths", "integer")
    .addColumn("people", "integer")
    .addColumn("visits", "integer")
    .addColumn("medianSeconds", "integer")
    .addColumn("p90Seconds", "integer")
    .addColumn("recordedSeconds", "integer", (column) => column.notNull())
    .addPrimaryKeyConstraint("onlineDay_key", ["channel", "day"])
    .execute();
}

/** Marks of what happened outside, such as a deploy. */
export async function createMarkTable(queries: Kysely<Tables>, engine: Engine): Promise<void> {
  const { milliseconds } = columnTypes[engine];
  await createTable(queries, "mark")
    .addColumn("at", milliseconds, (column) => column.notNull())
    .addColumn("text", "text", (column) => column.notNull())
    .addColumn("createdAt", milliseconds, (column) => column.notNull())
    .addColumn("createdBy", "text", (column) => column.notNull())
    .addColumn("app", "text")
    .addColumn("channel", "text")
    .execute();
}
