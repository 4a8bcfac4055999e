import type { Kysely } from "kysely";
import type { Engine } from "../database.ts";
import { columnTypes, createTable } from "../new_table.ts";
import type { Tables } from "../schema.ts";

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
