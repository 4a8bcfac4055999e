import type { Kysely } from "kysely";
import type { Engine } from "../database.ts";
import type { Tables } from "../schema.ts";
import { columnTypes, createTable } from "./tables.ts";

/** Links that show the wallboard without an account. */
export async function createWallboardTable(queries: Kysely<Tables>, engine: Engine): Promise<void> {
  const { milliseconds } = columnTypes[engine];
  await createTable(queries, "wallboardLink")
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("tokenHash", "text", (column) => column.notNull().unique())
    .addColumn("createdAt", milliseconds, (column) => column.notNull())
    .addColumn("createdBy", "text", (column) => column.notNull())
    .addColumn("lastUsedAt", milliseconds)
    .addColumn("revokedAt", milliseconds)
    .execute();
}
