import type { Kysely } from "kysely";
import type { Engine } from "../database.ts";
import type { Tables } from "../schema.ts";
import { columnTypes, createTable } from "./tables.ts";

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
