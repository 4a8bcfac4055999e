import type { Kysely } from "kysely";
import type { Engine } from "../database.ts";
import type { Tables } from "../schema.ts";
import { columnTypes, createTable } from "./tables.ts";

/** Users, their credentials and their sessions, in the layout of better-auth. */
export async function createAccountTables(queries: Kysely<Tables>, engine: Engine): Promise<void> {
  const { date, boolean } = columnTypes[engine];
  await createTable(queries, "user")
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("email", "text", (column) => column.notNull().unique())
    .addColumn("emailVerified", boolean, (column) => column.notNull())
    .addColumn("image", "text")
    .addColumn("createdAt", date, (column) => column.notNull())
    .addColumn("updatedAt", date, (column) => column.notNull())
    .addColumn("role", "text", (column) => column.notNull())
    .addColumn("banned", boolean, (column) => column.notNull())
    .addColumn("banReason", "text")
    .addColumn("banExpires", date)
    .execute();
  await createTable(queries, "account")
    .addColumn("accountId", "text", (column) => column.notNull())
    .addColumn("providerId", "text", (column) => column.notNull())
    .addColumn(
      "userId",
      "text",
      (column) => column.notNull().references("user.id").onDelete("cascade"),
    )
    .addColumn("accessToken", "text")
    .addColumn("refreshToken", "text")
    .addColumn("idToken", "text")
    .addColumn("accessTokenExpiresAt", date)
    .addColumn("refreshTokenExpiresAt", date)
    .addColumn("scope", "text")
    .addColumn("password", "text")
    .addColumn("createdAt", date, (column) => column.notNull())
    .addColumn("updatedAt", date, (column) => column.notNull())
    .execute();
  await createTable(queries, "session")
    .addColumn("expiresAt", date, (column) => column.notNull())
    .addColumn("token", "text", (column) => column.notNull().unique())
    .addColumn("createdAt", date, (column) => column.notNull())
    .addColumn("updatedAt", date, (column) => column.notNull())
    .addColumn("ipAddress", "text")
    .addColumn("userAgent", "text")
    .addColumn(
      "userId",
      "text",
      (column) => column.notNull().references("user.id").onDelete("cascade"),
    )
    .addColumn("impersonatedBy", "text")
    .execute();
  await createTable(queries, "verification")
    .addColumn("identifier", "text", (column) => column.notNull())
    .addColumn("value", "text", (column) => column.notNull())
    .addColumn("expiresAt", date, (column) => column.notNull())
    .addColumn("createdAt", date, (column) => column.notNull())
    .addColumn("updatedAt", date, (column) => column.notNull())
    .execute();
  for (
    const [table, column] of [
      ["account", "userId"],
      ["session", "userId"],
      ["verification", "identifier"],
    ]
  ) {
    await queries.schema.createIndex(`${table}_${column}`).on(table).column(column).execute();
  }
}
