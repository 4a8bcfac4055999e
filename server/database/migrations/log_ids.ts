import type { Kysely } from "kysely";
import type { Tables } from "../schema.ts";

/** Which entry of the log that several servers share an entry of the activity log was made of. */
export async function addLogIds(queries: Kysely<Tables>): Promise<void> {
  await queries.schema.alterTable("attendance").addColumn("logId", "text").execute();
  // A single server has no such log: its entries stay out of the index.
  await queries.schema.createIndex("attendance_logId").on("attendance").column("logId").unique()
    .where("logId" as never, "is not", null).execute();
}
