import { type Kysely, sql } from "kysely";
import type { Engine } from "../database.ts";
import { columnTypes, createNumberedTable, createTable } from "../new_table.ts";
import type { Tables } from "../schema.ts";
import { z } from "zod";

/** Links that admins make: they invite someone, or reset a user's password. */
export async function createAccountLinkTable(
  queries: Kysely<Tables>,
  engine: Engine,
): Promise<void> {
  const { milliseconds } = columnTypes[engine];
  await createTable(queries, "accountLink")
    .addColumn("tokenHash", "text", (column) => column.notNull().unique())
    .addColumn("email", "text", (column) => column.unique())
    .addColumn("role", "text")
    .addColumn("userId", "text", (column) => column.unique())
    .addColumn("createdBy", "text", (column) => column.notNull())
    .addColumn("createdAt", milliseconds, (column) => column.notNull())
    .addColumn("expiresAt", milliseconds, (column) => column.notNull())
    .execute();
}

/** Users, their credentials and their sessions, in the layout of better-auth. */
export async function createAccountTables(queries: Kysely<Tables>, engine: Engine): Promise<void> {
  const { date, boolean } = columnTypes[engine];
  await createTable(queries, "user")
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("email", "text", (column) => column.notNull().unique())
    .addColumn("emailVerified", boolean, (column) => column.notNull())
    .addColumn("image", "text")
    .addColumn("createdAt", date, (column) => column.notNull())
    .addColumn("updatedAt", date, (column) => column.notNull())
    .addColumn("role", "text", (column) => column.notNull())
    .addColumn("banned", boolean, (column) => column.notNull())
    .addColumn("banReason", "text")
    .addColumn("banExpires", date)
    .execute();
  await createTable(queries, "account")
    .addColumn("accountId", "text", (column) => column.notNull())
    .addColumn("providerId", "text", (column) => column.notNull())
    .addColumn(
      "userId",
      "text",
      (column) => column.notNull().references("user.id").onDelete("cascade"),
    )
    .addColumn("accessToken", "text")
    .addColumn("refreshToken", "text")
    .addColumn("idToken", "text")
    .addColumn("accessTokenExpiresAt", date)
    .addColumn("refreshTokenExpiresAt", date)
    .addColumn("scope", "text")
    .addColumn("password", "text")
    .addColumn("createdAt", date, (column) => column.notNull())
    .addColumn("updatedAt", date, (column) => column.notNull())
    .execute();
  await createTable(queries, "session")
    .addColumn("expiresAt", date, (column) => column.notNull())
    .addColumn("token", "text", (column) => column.notNull().unique())
    .addColumn("createdAt", date, (column) => column.notNull())
    .addColumn("updatedAt", date, (column) => column.notNull())
    .addColumn("ipAddress", "text")
    .addColumn("userAgent", "text")
    .addColumn(
      "userId",
      "text",
      (column) => column.notNull().references("user.id").onDelete("cascade"),
    )
    .addColumn("impersonatedBy", "text")
    .execute();
  await createTable(queries, "verification")
    .addColumn("identifier", "text", (column) => column.notNull())
    .addColumn("value", "text", (column) => column.notNull())
    .addColumn("expiresAt", date, (column) => column.notNull())
    .addColumn("createdAt", date, (column) => column.notNull())
    .addColumn("updatedAt", date, (column) => column.notNull())
    .execute();
  for (
    const [table, column] of [
      ["account", "userId"],
      ["session", "userId"],
      ["verification", "identifier"],
    ]
  ) {
    await queries.schema.createIndex(`${table}_${column}`).on(table).column(column).execute();
  }
}

/** The names that members of the operator's own app had when they joined and left. */
export async function addActivityNames(queries: Kysely<Tables>, engine: Engine): Promise<void> {
  const searchName = engine === "postgres" ? sql`text collate "C"` : sql`text`;
  for (const table of ["attendance", "attending"]) {
    await queries.schema.alterTable(table).addColumn("name", "text").execute();
    await queries.schema.alterTable(table).addColumn("searchName", searchName).execute();
  }
  await queries.schema.createIndex("attendance_searchName").on("attendance")
    .columns(["searchName", "userId"]).execute();
}

/** The alert as it was stored before: it began at once, and its end was not a crossing. */
const storedAlert = z.object({
  setting: z.looseObject({ enabled: z.boolean(), direction: z.string() }),
  side: z.enum(["below", "reached"]),
  crossings: z.array(z.looseObject({})),
}).loose();

/** Gives a stored alert the time for which the number must hold: 60 seconds. */
export async function addAlertHold(queries: Kysely<Tables>): Promise<void> {
  const row = await queries.selectFrom("setting").select("value").where("name", "=", "alert")
    .executeTakeFirst();
  if (!row) return;
  const { setting, side, crossings, ...rest } = storedAlert.parse(JSON.parse(row.value));
  const isActive = setting.enabled && (side === "reached") === (setting.direction === "up");
  const value = JSON.stringify({
    ...rest,
    setting: { ...setting, holdSeconds: 60 },
    phase: isActive ? "active" : "normal",
    crossings: crossings.map((crossing) => ({ ...crossing, phase: "active" })),
  });
  await queries.updateTable("setting").set({ value }).where("name", "=", "alert").execute();
}

/** The apps that admins added, and the names that they gave to others. */
export async function createAppTable(queries: Kysely<Tables>, engine: Engine): Promise<void> {
  const { milliseconds } = columnTypes[engine];
  await createTable(queries, "app")
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("key", "text", (column) => column.notNull().unique())
    .addColumn("secret", "text")
    .addColumn("createdAt", milliseconds, (column) => column.notNull())
    .execute();
}

/** The activity log, and the users who are online now. */
export async function createAttendanceTables(
  queries: Kysely<Tables>,
  engine: Engine,
): Promise<void> {
  const { milliseconds } = columnTypes[engine];
  await createNumberedTable(queries, engine, "attendance")
    .addColumn("at", milliseconds, (column) => column.notNull())
    .addColumn("userId", "text", (column) => column.notNull())
    .addColumn("kind", "text", (column) => column.notNull())
    .addColumn("change", "text", (column) => column.notNull())
    .addColumn("reason", "text")
    .execute();
  for (const filter of ["userId", "kind"]) {
    await queries.schema.createIndex(`attendance_${filter}`).on("attendance")
      .columns([filter, "at", "number"]).execute();
  }
  await queries.schema.createIndex("attendance_at").on("attendance")
    .columns(["at", "number"]).execute();
  await queries.schema.createTable("attending")
    .addColumn("userId", "text", (column) => column.primaryKey())
    .addColumn("kind", "text", (column) => column.notNull())
    .addColumn("since", milliseconds, (column) => column.notNull())
    .execute();
}

/** The actions of admins. */
export async function createAuditTable(queries: Kysely<Tables>, engine: Engine): Promise<void> {
  await createNumberedTable(queries, engine, "auditEntry")
    .addColumn("at", columnTypes[engine].milliseconds, (column) => column.notNull())
    .addColumn("actorId", "text", (column) => column.notNull())
    .addColumn("actorName", "text", (column) => column.notNull())
    .addColumn("action", "text", (column) => column.notNull())
    .addColumn("targetId", "text")
    .addColumn("targetName", "text")
    .addColumn("details", "text", (column) => column.notNull())
    .execute();
  for (const filter of ["actorId", "action", "targetId"]) {
    await queries.schema.createIndex(`auditEntry_${filter}`).on("auditEntry")
      .columns([filter, "at", "number"]).execute();
  }
  await queries.schema.createIndex("auditEntry_at").on("auditEntry")
    .columns(["at", "number"]).execute();
}

/** Guests whom an admin has blocked. */
export async function createBlockedGuestTable(
  queries: Kysely<Tables>,
  engine: Engine,
): Promise<void> {
  await queries.schema.createTable("blockedGuest")
    .addColumn("guestId", "text", (column) => column.primaryKey())
    .addColumn("blockedAt", columnTypes[engine].milliseconds, (column) => column.notNull())
    .addColumn("blockedBy", "text", (column) => column.notNull())
    .execute();
}

/** The only channel that was counted before. */
const onlyChannel = "presence-chart";

/** Gives the history and the activity log a channel; what is stored is of the one channel of before. */
export async function addCountedChannels(queries: Kysely<Tables>, engine: Engine): Promise<void> {
  await rebuildHistory(queries, engine);
  await rebuildAttending(queries, engine);
  await queries.schema.alterTable("attendance")
    .addColumn("channel", "text", (column) => column.notNull().defaultTo(onlyChannel)).execute();
  await queries.schema.createIndex("attendance_channel").on("attendance")
    .columns(["channel", "at", "number"]).execute();
}

/** SQLite cannot change the key of a table. */
async function rebuildHistory(queries: Kysely<Tables>, engine: Engine): Promise<void> {
  const { milliseconds } = columnTypes[engine];
  await queries.schema.alterTable("onlineInterval").renameTo("onlineIntervalBefore").execute();
  await queries.schema.createTable("onlineInterval")
    .addColumn("channel", "text", (column) => column.notNull())
    .addColumn("intervalMs", "integer", (column) => column.notNull())
    .addColumn("startsAt", milliseconds, (column) => column.notNull())
    .addColumn("mostUsers", "integer", (column) => column.notNull())
    .addColumn("mostUsersAt", milliseconds, (column) => column.notNull())
    .addColumn("fewestUsers", "integer", (column) => column.notNull())
    .addColumn("lastUsers", "integer", (column) => column.notNull())
    .addColumn("lastAt", milliseconds, (column) => column.notNull())
    .addColumn("mostConnections", "integer", (column) => column.notNull())
    .addColumn("measuredMs", "integer", (column) => column.notNull())
    // The time comes before the channel: old intervals of all channels are deleted by it.
    .addPrimaryKeyConstraint("onlineInterval_key", ["intervalMs", "startsAt", "channel"])
    .execute();
  const columns = sql.join(
    [
      "intervalMs",
      "startsAt",
      "mostUsers",
      "mostUsersAt",
      "fewestUsers",
      "lastUsers",
      "lastAt",
      "mostConnections",
      "measuredMs",
    ].map((name) => sql.ref(name)),
  );
  await move(queries, "onlineInterval", columns);
}

async function rebuildAttending(queries: Kysely<Tables>, engine: Engine): Promise<void> {
  const { milliseconds } = columnTypes[engine];
  const searchName = engine === "postgres" ? sql`text collate "C"` : sql`text`;
  await queries.schema.alterTable("attending").renameTo("attendingBefore").execute();
  await queries.schema.createTable("attending")
    .addColumn("channel", "text", (column) => column.notNull())
    .addColumn("userId", "text", (column) => column.notNull())
    .addColumn("kind", "text", (column) => column.notNull())
    .addColumn("since", milliseconds, (column) => column.notNull())
    .addColumn("name", "text")
    .addColumn("searchName", searchName)
    .addPrimaryKeyConstraint("attending_key", ["channel", "userId"])
    .execute();
  const names = ["userId", "kind", "since", "name", "searchName"].map((name) => sql.ref(name));
  await move(queries, "attending", sql.join(names));
}

async function move(
  queries: Kysely<Tables>,
  table: string,
  columns: ReturnType<typeof sql.join>,
): Promise<void> {
  const old = sql.table(`${table}Before`);
  // A constant in the text of the statement: PostgreSQL does not know the type of a parameter here.
  await sql`insert into ${sql.table(table)} ("channel", ${columns})
    select ${sql.lit(onlyChannel)}, ${columns} from ${old}`.execute(queries);
  await sql`drop table ${old}`.execute(queries);
}

/** Links that give the count to other sites. */
export async function createEmbedTable(queries: Kysely<Tables>, engine: Engine): Promise<void> {
  const { milliseconds } = columnTypes[engine];
  await createTable(queries, "embed")
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("label", "text", (column) => column.notNull())
    .addColumn("origins", "text", (column) => column.notNull())
    .addColumn("readers", "text", (column) => column.notNull())
    .addColumn("createdAt", milliseconds, (column) => column.notNull())
    .addColumn("createdBy", "text", (column) => column.notNull())
    .addColumn("lastUsedAt", milliseconds)
    .execute();
}

/** Which entry of the log that several servers share an entry of the activity log was made of. */
export async function addLogIds(queries: Kysely<Tables>): Promise<void> {
  await queries.schema.alterTable("attendance").addColumn("logId", "text").execute();
  // A single server has no such log: its entries stay out of the index. The types of an index know no columns.
  await queries.schema.createIndex("attendance_logId").on("attendance").column("logId").unique()
    .where("logId" as never, "is not", null).execute();
}

/**
 * Indexes for the entries of a person, and of a kind of person, in one channel: otherwise a page of the
 * activity log reads the channel's entries one by one until it has found enough.
 */
export async function addActivityIndexes(queries: Kysely<Tables>): Promise<void> {
  for (const filter of ["userId", "kind"]) {
    await queries.schema.createIndex(`attendance_channel_${filter}`).on("attendance")
      .columns(["channel", filter, "at", "number"]).execute();
  }
}

/** The number of users online over time. */
export async function createHistoryTable(queries: Kysely<Tables>, engine: Engine): Promise<void> {
  const { milliseconds } = columnTypes[engine];
  await queries.schema.createTable("onlineInterval")
    .addColumn("intervalMs", "integer", (column) => column.notNull())
    .addColumn("startsAt", milliseconds, (column) => column.notNull())
    .addColumn("mostUsers", "integer", (column) => column.notNull())
    .addColumn("mostUsersAt", milliseconds, (column) => column.notNull())
    .addColumn("fewestUsers", "integer", (column) => column.notNull())
    .addColumn("lastUsers", "integer", (column) => column.notNull())
    .addColumn("lastAt", milliseconds, (column) => column.notNull())
    .addColumn("mostConnections", "integer", (column) => column.notNull())
    .addColumn("measuredMs", "integer", (column) => column.notNull())
    .addPrimaryKeyConstraint("onlineInterval_primary", ["intervalMs", "startsAt"])
    .execute();
}

/** Which of several servers run, and which of them reach Redis. Empty where there is one server. */
export async function createServerTable(queries: Kysely<Tables>, engine: Engine): Promise<void> {
  const { boolean, milliseconds } = columnTypes[engine];
  await createTable(queries, "server")
    .addColumn("seenAt", milliseconds, (column) => column.notNull())
    .addColumn("seesRedis", boolean, (column) => column.notNull())
    .addColumn("since", milliseconds, (column) => column.notNull())
    .execute();
}

/** Values of the installation, by name. */
export async function createSettingTable(queries: Kysely<Tables>): Promise<void> {
  await queries.schema.createTable("setting")
    .addColumn("name", "text", (column) => column.primaryKey())
    .addColumn("value", "text", (column) => column.notNull())
    .execute();
}

/** Counters of sign-in attempts. */
export async function createLimitTables(queries: Kysely<Tables>, engine: Engine): Promise<void> {
  await createTable(queries, "rateLimit")
    .addColumn("key", "text", (column) => column.notNull().unique())
    .addColumn("count", "integer", (column) => column.notNull())
    .addColumn("lastRequest", columnTypes[engine].milliseconds, (column) => column.notNull())
    .execute();
  await queries.schema.createTable("signInAttempt")
    .addColumn("account", "text", (column) => column.primaryKey())
    .addColumn("count", "integer", (column) => column.notNull())
    .addColumn("since", columnTypes[engine].milliseconds, (column) => column.notNull())
    .execute();
}

/** Events that webhooks have not received yet. */
export async function createUndeliveredWebhookTable(
  queries: Kysely<Tables>,
  engine: Engine,
): Promise<void> {
  await createTable(queries, "undeliveredWebhook")
    .addColumn("appId", "text", (column) => column.notNull())
    .addColumn("webhook", "text")
    .addColumn("acceptedAt", columnTypes[engine].milliseconds, (column) => column.notNull())
    .addColumn("events", "text", (column) => column.notNull())
    .addColumn("count", "integer", (column) => column.notNull())
    .execute();
}

/** Links that show the wallboard without an account. */
export async function createWallboardTable(queries: Kysely<Tables>, engine: Engine): Promise<void> {
  const { milliseconds } = columnTypes[engine];
  await createTable(queries, "wallboardLink")
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("tokenHash", "text", (column) => column.notNull().unique())
    .addColumn("createdAt", milliseconds, (column) => column.notNull())
    .addColumn("createdBy", "text", (column) => column.notNull())
    .addColumn("lastUsedAt", milliseconds)
    .addColumn("revokedAt", milliseconds)
    .execute();
}
