import type { Kysely } from "kysely";
import type { Engine } from "../database.ts";
import { columnTypes, createTable } from "../new_table.ts";
import type { Tables } from "../schema.ts";

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
