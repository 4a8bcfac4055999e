import type { Kysely } from "kysely";
import type { Engine } from "../database.ts";
import { columnTypes } from "../new_table.ts";
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
