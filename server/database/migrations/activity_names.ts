import { type Kysely, sql } from "kysely";
import type { Engine } from "../database.ts";
import type { Tables } from "../schema.ts";

/** The names that members of the operator's own app had when they joined and left. */
export async function addActivityNames(queries: Kysely<Tables>, engine: Engine): Promise<void> {
  const searchName = engine === "postgres" ? sql`text collate "C"` : sql`text`;
  for (const table of ["attendance", "attending"]) {
    await queries.schema.alterTable(table).addColumn("name", "text").execute();
    await queries.schema.alterTable(table).addColumn("searchName", searchName).execute();
  }
  await queries.schema.createIndex("attendance_searchName").on("attendance")
    .columns(["searchName", "userId"]).execute();
}
