import type { Kysely } from "kysely";
import type { Engine } from "../database.ts";
import type { Tables } from "../schema.ts";
import { columnTypes, createTable } from "./tables.ts";

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
