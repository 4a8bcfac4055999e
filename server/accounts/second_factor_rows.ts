import type { Kysely } from "kysely";
import type { Tables } from "../database/schema.ts";

/** What is known of a user's second factor. Times are in ms since 1970. */
export interface SecondFactor {
  /** Since when there are one-time codes; null for none. */
  codesSince: number | null;
  /** The oldest first. */
  passkeys: { id: string; name: string; createdAt: number }[];
  recoveryCodesLeft: number;
}

/** The second factor of a user; null for none. */
export async function secondFactorOf(
  queries: Kysely<Tables>,
  userId: string,
): Promise<SecondFactor | null> {
  const codes = await queries.selectFrom("oneTimeCode").select("createdAt")
    .where("userId", "=", userId).executeTakeFirst();
  const rows = await queries.selectFrom("passkey").select(["id", "name", "createdAt"])
    .where("userId", "=", userId).orderBy("createdAt").execute();
  if (!codes && rows.length === 0) return null;
  const recovery = await queries.selectFrom("recoveryCode").select("codeHash")
    .where("userId", "=", userId).execute();
  return {
    codesSince: codes ? Number(codes.createdAt) : null,
    passkeys: rows.map((row) => ({ ...row, createdAt: Number(row.createdAt) })),
    recoveryCodesLeft: recovery.length,
  };
}

/** Whether a user has a second factor. */
export async function hasSecondFactor(queries: Kysely<Tables>, userId: string): Promise<boolean> {
  return await hasOneTimeCodes(queries, userId) ||
    await queries.selectFrom("passkey").select("id").where("userId", "=", userId).limit(1)
        .executeTakeFirst() !== undefined;
}

/** Whether a user has one-time codes. */
export async function hasOneTimeCodes(queries: Kysely<Tables>, userId: string): Promise<boolean> {
  const row = await queries.selectFrom("oneTimeCode").select("userId")
    .where("userId", "=", userId).executeTakeFirst();
  return row !== undefined;
}

/** Deletes what is stored of a user's second factor; sessions that showed it have shown none any more. */
export async function deleteSecondFactor(
  transaction: Kysely<Tables>,
  userId: string,
): Promise<void> {
  for (const table of ["oneTimeCode", "passkey", "recoveryCode"] as const) {
    await transaction.deleteFrom(table).where("userId", "=", userId).execute();
  }
  await transaction.updateTable("session").set({ vouchedBy: null }).where("userId", "=", userId)
    .where("vouchedBy", "=", "second_factor").execute();
}
