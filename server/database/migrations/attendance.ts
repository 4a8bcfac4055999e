import type { Kysely } from "kysely";
import type { Engine } from "../database.ts";
import type { Tables } from "../schema.ts";
import { columnTypes, createNumberedTable } from "./tables.ts";

/** The activity log, and the users who are online now. */
export async function createAttendanceTables(
  queries: Kysely<Tables>,
  engine: Engine,
): Promise<void> {
  const { milliseconds } = columnTypes[engine];
  await createNumberedTable(queries, engine, "attendance")
    .addColumn("at", milliseconds, (column) => column.notNull())
    .addColumn("userId", "text", (column) => column.notNull())
    .addColumn("kind", "text", (column) => column.notNull())
    .addColumn("change", "text", (column) => column.notNull())
    .addColumn("reason", "text")
    .execute();
  for (const filter of ["userId", "kind"]) {
    await queries.schema.createIndex(`attendance_${filter}`).on("attendance")
      .columns([filter, "at", "number"]).execute();
  }
  await queries.schema.createIndex("attendance_at").on("attendance")
    .columns(["at", "number"]).execute();
  await queries.schema.createTable("attending")
    .addColumn("userId", "text", (column) => column.primaryKey())
    .addColumn("kind", "text", (column) => column.notNull())
    .addColumn("since", milliseconds, (column) => column.notNull())
    .execute();
}
