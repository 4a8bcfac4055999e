import { type Kysely, sql } from "kysely";
import type { Database, Engine } from "./database.ts";
import { DatabaseError } from "./unavailable.ts";
import {
  addActivityIndexes,
  addActivityNames,
  addAlertHold,
  addCountedChannels,
  addLogIds,
  createAccountLinkTable,
  createAccountTables,
  createAppTable,
  createAttendanceTables,
  createAuditTable,
  createBlockedGuestTable,
  createEmbedTable,
  createHistoryTable,
  createLimitTables,
  createServerTable,
  createSettingTable,
  createUndeliveredWebhookTable,
  createWallboardTable,
} from "./migrations/0_1_0.ts";
import {
  addAccountLanguage,
  addAccountLimits,
  addActiveUsers,
  addEmbedActivity,
  addGuests,
  addInviteLimits,
  addWallboardActivity,
  createAlertTables,
  createApiTokenTable,
  createBlockedPersonTable,
  createDayTable,
  createMarkTable,
  createPasskeyTable,
  createSecondFactorTables,
  createSiteTagTable,
  moveAlerts,
} from "./migrations/0_2_0.ts";
import type { Tables } from "./schema.ts";

/** A change of the tables from one version to the next. */
export interface Migration {
  name: string;
  apply(queries: Kysely<Tables>, engine: Engine): Promise<void>;
}

/** In the order of their numbers, which start at 1. Only append: databases have applied the others. */
export const migrations: readonly Migration[] = [
  { name: "users, credentials and sessions", apply: createAccountTables },
  { name: "sign-in limits", apply: createLimitTables },
  { name: "settings", apply: createSettingTable },
  { name: "undelivered webhooks", apply: createUndeliveredWebhookTable },
  { name: "history of users online", apply: createHistoryTable },
  { name: "attendance log", apply: createAttendanceTables },
  { name: "audit log", apply: createAuditTable },
  { name: "wallboard links", apply: createWallboardTable },
  { name: "blocked guests", apply: createBlockedGuestTable },
  { name: "names in the activity log", apply: addActivityNames },
  { name: "apps", apply: createAppTable },
  { name: "time for which an alert must hold", apply: addAlertHold },
  { name: "embeds", apply: createEmbedTable },
  { name: "invitations and reset links", apply: createAccountLinkTable },
  { name: "channels of history and activity", apply: addCountedChannels },
  { name: "entries of the shared log in the activity log", apply: addLogIds },
  { name: "servers", apply: createServerTable },
  { name: "indexes of the activity in a channel", apply: addActivityIndexes },
  { name: "active users in the history", apply: addActiveUsers },
  { name: "active users in embeds", apply: addEmbedActivity },
  { name: "API tokens", apply: createApiTokenTable },
  { name: "active users on wallboards", apply: addWallboardActivity },
  { name: "site tags", apply: createSiteTagTable },
  { name: "blocked people of apps", apply: createBlockedPersonTable },
  { name: "limits of accounts", apply: addAccountLimits },
  { name: "rules, receivers and deliveries of alerts", apply: createAlertTables },
  { name: "alerts of before as rules", apply: moveAlerts },
  { name: "second factors", apply: createSecondFactorTables },
  { name: "passkeys", apply: createPasskeyTable },
  { name: "guests in the history", apply: addGuests },
  { name: "numbers of days", apply: createDayTable },
  { name: "limits of invitations", apply: addInviteLimits },
  { name: "marks of the history", apply: createMarkTable },
  { name: "languages of accounts", apply: addAccountLanguage },
];

/** The number of the last migration of this version. */
export const newestMigration = migrations.length;

/** The error for a database with more migrations than this version has. */
export function tooNew(name: string, applied: number, known = newestMigration): DatabaseError {
  return new DatabaseError(
    `${name} was written by a newer version of Rollcall: it has migration ${applied}, ` +
      `this version knows ${known}`,
  );
}

/**
 * Applies all pending migrations, in one transaction. Each is applied once, even if several processes
 * start at the same moment.
 *
 * @param before called before the first pending migration, with its number; not for a new database.
 * @param known tests pass their own.
 * @throws {DatabaseError} when a newer version wrote the database.
 */
export async function upgrade(
  database: Database,
  before?: (migration: number) => Promise<void>,
  known: readonly Migration[] = migrations,
): Promise<void> {
  await database.exclusively((transaction) =>
    applyMigrations(transaction, database.engine, before, known)
  );
}

/** Like {@link upgrade}, in a transaction that excludes other upgrades. */
export async function applyMigrations(
  queries: Kysely<Tables>,
  engine: Engine,
  before?: (migration: number) => Promise<void>,
  known: readonly Migration[] = migrations,
): Promise<void> {
  const applied = await appliedMigrations(queries);
  if (applied > known.length) throw tooNew("The database", applied, known.length);
  if (applied > 0 && applied < known.length) await before?.(applied + 1);
  for (const [index, { name, apply }] of known.entries()) {
    if (index < applied) continue;
    await apply(queries, engine);
    const appliedAt = new Date().toISOString();
    await queries.insertInto("migration").values({ number: index + 1, name, appliedAt }).execute();
  }
}

async function appliedMigrations(queries: Kysely<Tables>): Promise<number> {
  await queries.schema.createTable("migration").ifNotExists()
    .addColumn("number", "integer", (column) => column.primaryKey())
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("appliedAt", "text", (column) => column.notNull())
    .execute();
  const { applied } = await queries.selectFrom("migration")
    .select(({ fn }) => fn.coalesce(fn.max("number"), sql<number>`0`).as("applied"))
    .executeTakeFirstOrThrow();
  return applied;
}
