import type { Kysely } from "kysely";
import type { Engine } from "../database.ts";
import type { Tables } from "../schema.ts";
import { columnTypes, createTable } from "./tables.ts";

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
