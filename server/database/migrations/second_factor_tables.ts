import type { Kysely } from "kysely";
import type { Engine } from "../database.ts";
import { columnTypes, createTable } from "../new_table.ts";
import type { Tables } from "../schema.ts";

/**
 * One-time codes and recovery codes of users, and what vouches for a session beside a password: the column is empty
 * for sessions from before.
 */
export async function createSecondFactorTables(
  queries: Kysely<Tables>,
  engine: Engine,
): Promise<void> {
  const { milliseconds } = columnTypes[engine];
  await queries.schema.createTable("oneTimeCode")
    .addColumn("userId", "text", (column) => column.primaryKey())
    .addColumn("encryptedSecret", "text", (column) => column.notNull())
    .addColumn("lastStep", milliseconds, (column) => column.notNull())
    .addColumn("createdAt", milliseconds, (column) => column.notNull())
    .execute();
  await queries.schema.createTable("recoveryCode")
    .addColumn("userId", "text", (column) => column.notNull())
    .addColumn("codeHash", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("recoveryCode_key", ["userId", "codeHash"])
    .execute();
  await queries.schema.alterTable("session").addColumn("vouchedBy", "text").execute();
}

/** Passkeys of users: public keys, of which the private ones are on phones, computers and security keys. */
export async function createPasskeyTable(queries: Kysely<Tables>, engine: Engine): Promise<void> {
  const { milliseconds } = columnTypes[engine];
  await createTable(queries, "passkey")
    .addColumn("userId", "text", (column) => column.notNull())
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("publicKey", "text", (column) => column.notNull())
    .addColumn("counter", milliseconds, (column) => column.notNull())
    .addColumn("transports", "text", (column) => column.notNull())
    .addColumn("createdAt", milliseconds, (column) => column.notNull())
    .execute();
  await queries.schema.createIndex("passkey_userId").on("passkey").columns(["userId"]).execute();
}
