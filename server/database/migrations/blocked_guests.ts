import type { Kysely } from "kysely";
import type { Engine } from "../database.ts";
import type { Tables } from "../schema.ts";
import { columnTypes } from "./tables.ts";

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
