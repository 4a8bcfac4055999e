import { type CreateTableBuilder, type Kysely, sql } from "kysely";
import type { Tables } from "../schema.ts";

/** The column types in which the engines differ. */
export const columnTypes = {
  sqlite: { date: sql`date`, boolean: sql`integer`, milliseconds: sql`integer` },
  postgres: { date: sql`timestamptz`, boolean: sql`boolean`, milliseconds: sql`bigint` },
} as const;

/** Begins a table whose key is a text `id`. */
export function createTable(
  queries: Kysely<Tables>,
  name: string,
): CreateTableBuilder<string, "id"> {
  return queries.schema.createTable(name).addColumn("id", "text", (column) => column.primaryKey());
}
