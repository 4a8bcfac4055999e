import type { Kysely } from "kysely";
import type { Engine } from "../database.ts";
import type { Tables } from "../schema.ts";
import { columnTypes, createTable } from "./tables.ts";

/** Events that webhooks have not received yet. */
export async function createUndeliveredWebhookTable(
  queries: Kysely<Tables>,
  engine: Engine,
): Promise<void> {
  await createTable(queries, "undeliveredWebhook")
    .addColumn("appId", "text", (column) => column.notNull())
    .addColumn("webhook", "text")
    .addColumn("acceptedAt", columnTypes[engine].milliseconds, (column) => column.notNull())
    .addColumn("events", "text", (column) => column.notNull())
    .addColumn("count", "integer", (column) => column.notNull())
    .execute();
}
