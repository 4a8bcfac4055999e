import type { Kysely } from "kysely";
import type { Engine } from "../database.ts";
import type { Tables } from "../schema.ts";
import { columnTypes, createNumberedTable } from "./tables.ts";

/** The actions of admins. */
export async function createAuditTable(queries: Kysely<Tables>, engine: Engine): Promise<void> {
  await createNumberedTable(queries, engine, "auditEntry")
    .addColumn("at", columnTypes[engine].milliseconds, (column) => column.notNull())
    .addColumn("actorId", "text", (column) => column.notNull())
    .addColumn("actorName", "text", (column) => column.notNull())
    .addColumn("action", "text", (column) => column.notNull())
    .addColumn("targetId", "text")
    .addColumn("targetName", "text")
    .addColumn("details", "text", (column) => column.notNull())
    .execute();
  for (const filter of ["actorId", "action", "targetId"]) {
    await queries.schema.createIndex(`auditEntry_${filter}`).on("auditEntry")
      .columns([filter, "at", "number"]).execute();
  }
  await queries.schema.createIndex("auditEntry_at").on("auditEntry")
    .columns(["at", "number"]).execute();
}
