import type { Kysely } from "kysely";
import type { Tables } from "../database/schema.ts";

/** What is known of a user's second factor. */
export interface SecondFactor {
  /** When it was set up, in ms since 1970. */
  since: number;
  recoveryCodesLeft: number;
}

/** The second factor of a user; null for none. */
export async function secondFactorOf(
  queries: Kysely<Tables>,
  userId: string,
): Promise<SecondFactor | null> {
  const row = await queries.selectFrom("oneTimeCode").select("createdAt")
    .where("userId", "=", userId).executeTakeFirst();
  if (!row) return null;
  const codes = await queries.selectFrom("recoveryCode").select("codeHash")
    .where("userId", "=", userId).execute();
  return { since: Number(row.createdAt), recoveryCodesLeft: codes.length };
}

/** Whether a user has a second factor. */
export async function hasSecondFactor(queries: Kysely<Tables>, userId: string): Promise<boolean> {
  const row = await queries.selectFrom("oneTimeCode").select("userId")
    .where("userId", "=", userId).executeTakeFirst();
  return row !== undefined;
}

/** Deletes what is stored of a user's second factor. */
export async function deleteSecondFactor(
  transaction: Kysely<Tables>,
  userId: string,
): Promise<void> {
  await transaction.deleteFrom("oneTimeCode").where("userId", "=", userId).execute();
  await transaction.deleteFrom("recoveryCode").where("userId", "=", userId).execute();
}
