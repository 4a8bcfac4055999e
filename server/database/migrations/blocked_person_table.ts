import type { Kysely } from "kysely";
import type { Engine } from "../database.ts";
import { columnTypes } from "../new_table.ts";
import type { Tables } from "../schema.ts";

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
