import { type Kysely, sql } from "kysely";
import type { Database, Engine } from "./database.ts";
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

interface Migration {
  name: string;
  apply(queries: Kysely<Tables>, engine: Engine): Promise<void>;
}

/** In the order of their numbers, which start at 1. Append; never change one that was released. */
const migrations: Migration[] = [
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

/**
 * Brings the tables up to date. Each migration is applied once, whole or not at all, however many
 * processes start at the same time.
 *
 * @throws {Error} when the database was written by a newer version.
 */
export async function migrate(database: Database): Promise<void> {
  await database.exclusively(async (transaction) => {
    await transaction.schema.createTable("migration").ifNotExists()
      .addColumn("number", "integer", (column) => column.primaryKey())
      .addColumn("name", "text", (column) => column.notNull())
      .addColumn("appliedAt", "text", (column) => column.notNull())
      .execute();
    const { applied } = await transaction.selectFrom("migration")
      .select(({ fn }) => fn.coalesce(fn.max("number"), sql<number>`0`).as("applied"))
      .executeTakeFirstOrThrow();
    if (applied > migrations.length) {
      throw new Error(
        `The database has ${applied} migrations, this version knows ${migrations.length}: ` +
          "it was written by a newer version.",
      );
    }
    for (const [index, { name, apply }] of migrations.entries()) {
      if (index < applied) continue;
      await apply(transaction, database.engine);
      const appliedAt = new Date().toISOString();
      await transaction.insertInto("migration").values({ number: index + 1, name, appliedAt })
        .execute();
    }
  });
}
