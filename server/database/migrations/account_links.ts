import type { Kysely } from "kysely";
import type { Engine } from "../database.ts";
import type { Tables } from "../schema.ts";
import { columnTypes, createTable } from "./tables.ts";

/** Links that admins make: they invite someone, or reset a user's password. */
export async function createAccountLinkTable(
  queries: Kysely<Tables>,
  engine: Engine,
): Promise<void> {
  const { milliseconds } = columnTypes[engine];
  await createTable(queries, "accountLink")
    .addColumn("tokenHash", "text", (column) => column.notNull().unique())
    .addColumn("email", "text", (column) => column.unique())
    .addColumn("role", "text")
    .addColumn("userId", "text", (column) => column.unique())
    .addColumn("createdBy", "text", (column) => column.notNull())
    .addColumn("createdAt", milliseconds, (column) => column.notNull())
    .addColumn("expiresAt", milliseconds, (column) => column.notNull())
    .execute();
}
