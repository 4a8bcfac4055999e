import { type CreateTableBuilder, type Kysely, sql } from "kysely";
import type { Engine } from "./database.ts";
import type { Tables } from "./schema.ts";

/** The column types that differ between the engines. */
export const columnTypes = {
  sqlite: { date: sql`date`, boolean: sql`integer`, milliseconds: sql`integer` },
  postgres: { date: sql`timestamptz`, boolean: sql`boolean`, milliseconds: sql`bigint` },
} as const;

/** Begins a table with a text `id` as its key. */
export function createTable(
  queries: Kysely<Tables>,
  name: string,
): CreateTableBuilder<string, "id"> {
  return queries.schema.createTable(name).addColumn("id", "text", (column) => column.primaryKey());
}

/** Begins a table with a `number` as its key, which the database generates. */
export function createNumberedTable(
  queries: Kysely<Tables>,
  engine: Engine,
  name: string,
): CreateTableBuilder<string, "number"> {
  const type = engine === "postgres" ? "bigserial" : "integer";
  return queries.schema.createTable(name)
    .addColumn("number", type, (column) => column.primaryKey());
}
