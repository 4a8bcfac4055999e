import { type CreateTableBuilder, type Kysely, sql } from "kysely";
import type { Database, Engine } from "./database.ts";
import type { Tables } from "./schema.ts";

/** The column types in which the engines differ. */
const columnTypes = {
  sqlite: { date: sql`date`, boolean: sql`integer`, milliseconds: sql`integer` },
  postgres: { date: sql`timestamptz`, boolean: sql`boolean`, milliseconds: sql`bigint` },
} as const;

interface Migration {
  name: string;
  apply(queries: Kysely<Tables>, engine: Engine): Promise<void>;
}

/** In the order of their numbers, which start at 1. Append; never change one that was released. */
const migrations: Migration[] = [
  { name: "users, credentials and sessions", apply: createAccountTables },
  { name: "sign-in limits", apply: createLimitTables },
  { name: "settings", apply: createSettingTable },
];

/**
 * Brings the tables up to date. Each migration is applied once, whole or not at all, however many
 * processes start at the same time.
 *
 * @throws {Error} when the database was written by a newer version.
 */
export async function migrate(database: Database): Promise<void> {
  await database.exclusively(async (transaction) => {
    await transaction.schema.createTable("migration").ifNotExists()
      .addColumn("number", "integer", (column) => column.primaryKey())
      .addColumn("name", "text", (column) => column.notNull())
      .addColumn("appliedAt", "text", (column) => column.notNull())
      .execute();
    const { applied } = await transaction.selectFrom("migration")
      .select(({ fn }) => fn.coalesce(fn.max("number"), sql<number>`0`).as("applied"))
      .executeTakeFirstOrThrow();
    if (applied > migrations.length) {
      throw new Error(
        `The accounts database has ${applied} migrations, this version knows ${migrations.length}: ` +
          "it was written by a newer version.",
      );
    }
    for (const [index, { name, apply }] of migrations.entries()) {
      if (index < applied) continue;
      await apply(transaction, database.engine);
      const appliedAt = new Date().toISOString();
      await transaction.insertInto("migration").values({ number: index + 1, name, appliedAt })
        .execute();
    }
  });
}

async function createAccountTables(queries: Kysely<Tables>, engine: Engine): Promise<void> {
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

async function createLimitTables(queries: Kysely<Tables>, engine: Engine): Promise<void> {
  await createTable(queries, "rateLimit")
    .addColumn("key", "text", (column) => column.notNull().unique())
    .addColumn("count", "integer", (column) => column.notNull())
    .addColumn("lastRequest", columnTypes[engine].milliseconds, (column) => column.notNull())
    .execute();
  await queries.schema.createTable("signInAttempt")
    .addColumn("account", "text", (column) => column.primaryKey())
    .addColumn("count", "integer", (column) => column.notNull())
    .addColumn("since", columnTypes[engine].milliseconds, (column) => column.notNull())
    .execute();
}

async function createSettingTable(queries: Kysely<Tables>): Promise<void> {
  await queries.schema.createTable("setting")
    .addColumn("name", "text", (column) => column.primaryKey())
    .addColumn("value", "text", (column) => column.notNull())
    .execute();
}

function createTable(queries: Kysely<Tables>, name: string): CreateTableBuilder<string, "id"> {
  return queries.schema.createTable(name).addColumn("id", "text", (column) => column.primaryKey());
}
