import type { Kysely } from "kysely";
import type { Tables } from "../schema.ts";

/** Values of the installation, by name. */
export async function createSettingTable(queries: Kysely<Tables>): Promise<void> {
  await queries.schema.createTable("setting")
    .addColumn("name", "text", (column) => column.primaryKey())
    .addColumn("value", "text", (column) => column.notNull())
    .execute();
}
