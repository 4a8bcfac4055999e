import { type Kysely, sql } from "kysely";
import type { Database, Engine } from "./database.ts";
import { DatabaseError } from "./database_error.ts";
import { createAccountTables } from "./migrations/accounts.ts";
import { createAttendanceTables } from "./migrations/attendance.ts";
import { createAuditTable } from "./migrations/audit_log.ts";
import { createBlockedGuestTable } from "./migrations/blocked_guests.ts";
import { createHistoryTable } from "./migrations/online_history.ts";
import { createSettingTable } from "./migrations/settings.ts";
import { createLimitTables } from "./migrations/sign_in_limits.ts";
import { createUndeliveredWebhookTable } from "./migrations/undelivered_webhooks.ts";
import { createWallboardTable } from "./migrations/wallboard_links.ts";
import type { Tables } from "./schema.ts";

/** A step that brings the tables from one version to the next. */
export interface Migration {
  name: string;
  apply(queries: Kysely<Tables>, engine: Engine): Promise<void>;
}

/** In the order of their numbers, which start at 1. Append; never change one that was released. */
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
];

/** The number of the newest migration that this version knows. */
export const newestMigration = migrations.length;

/** The refusal of a database that has more migrations than this version knows. */
export function tooNew(name: string, applied: number, known = newestMigration): DatabaseError {
  return new DatabaseError(
    `${name} was written by a newer version of Rollcall: it has migration ${applied}, ` +
      `this version knows ${known}`,
  );
}

/** What an upgrade can be told. */
export interface UpgradeOptions {
  /** Those that there are, unless a test brings its own. */
  migrations?: readonly Migration[];
  /** Runs before the first migration of a database that has some, with the number of that migration. */
  before?: (migration: number) => Promise<void>;
}

/**
 * Brings the tables up to date. Each migration is applied once, whole or not at all, however many
 * processes start at the same time.
 *
 * @throws {DatabaseError} when the database was written by a newer version.
 */
export async function upgrade(database: Database, options: UpgradeOptions = {}): Promise<void> {
  await database.exclusively((transaction) =>
    applyMigrations(transaction, database.engine, options)
  );
}

/** The same within a transaction in which nobody else migrates. */
export async function applyMigrations(
  queries: Kysely<Tables>,
  engine: Engine,
  { migrations: known = migrations, before }: UpgradeOptions = {},
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
