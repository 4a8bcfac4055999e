import type { Kysely } from "kysely";
import type { Engine } from "../database.ts";
import type { Tables } from "../schema.ts";
import { columnTypes } from "./tables.ts";

/** The number of users online over time. */
export async function createHistoryTable(queries: Kysely<Tables>, engine: Engine): Promise<void> {
  const { milliseconds } = columnTypes[engine];
  await queries.schema.createTable("onlineInterval")
    .addColumn("intervalMs", "integer", (column) => column.notNull())
    .addColumn("startsAt", milliseconds, (column) => column.notNull())
    .addColumn("mostUsers", "integer", (column) => column.notNull())
    .addColumn("mostUsersAt", milliseconds, (column) => column.notNull())
    .addColumn("fewestUsers", "integer", (column) => column.notNull())
    .addColumn("lastUsers", "integer", (column) => column.notNull())
    .addColumn("lastAt", milliseconds, (column) => column.notNull())
    .addColumn("mostConnections", "integer", (column) => column.notNull())
    .addColumn("measuredMs", "integer", (column) => column.notNull())
    .addPrimaryKeyConstraint("onlineInterval_primary", ["intervalMs", "startsAt"])
    .execute();
}
