import type { Kysely } from "kysely";
import type { Engine } from "../database.ts";
import { columnTypes, createTable } from "../new_table.ts";
import type { Tables } from "../schema.ts";

/** The numbers of each day of the counted channels. */
export async function createDayTable(queries: Kysely<Tables>, engine: Engine): Promise<void> {
  const { milliseconds } = columnTypes[engine];
  await queries.schema.createTable("onlineDay")
    .addColumn("channel", "text", (column) => column.notNull())
    .addColumn("day", "text", (column) => column.notNull())
    .addColumn("startsAt", milliseconds, (column) => column.notNull())
    .addColumn("endsAt", milliseconds, (column) => column.notNull())
    .addColumn("mostUsers", "integer")
    .addColumn("mostUsersAt", milliseconds)
    .addColumn("averageHundredths", "integer")
    .addColumn("people", "integer")
    .addColumn("visits", "integer")
    .addColumn("medianSeconds", "integer")
    .addColumn("p90Seconds", "integer")
    .addColumn("recordedSeconds", "integer", (column) => column.notNull())
    .addPrimaryKeyConstraint("onlineDay_key", ["channel", "day"])
    .execute();
}

/** Marks of what happened outside, such as a deploy. */
export async function createMarkTable(queries: Kysely<Tables>, engine: Engine): Promise<void> {
  const { milliseconds } = columnTypes[engine];
  await createTable(queries, "mark")
    .addColumn("at", milliseconds, (column) => column.notNull())
    .addColumn("text", "text", (column) => column.notNull())
    .addColumn("createdAt", milliseconds, (column) => column.notNull())
    .addColumn("createdBy", "text", (column) => column.notNull())
    .addColumn("app", "text")
    .addColumn("channel", "text")
    .execute();
}
