import type { Kysely } from "kysely";
import type { Engine } from "../database.ts";
import type { Tables } from "../schema.ts";
import { columnTypes, createTable } from "./tables.ts";

/** Which of several servers run, and which of them reach Redis. Empty where there is one server. */
export async function createServerTable(queries: Kysely<Tables>, engine: Engine): Promise<void> {
  const { boolean, milliseconds } = columnTypes[engine];
  await createTable(queries, "server")
    .addColumn("seenAt", milliseconds, (column) => column.notNull())
    .addColumn("seesRedis", boolean, (column) => column.notNull())
    .addColumn("since", milliseconds, (column) => column.notNull())
    .execute();
}
