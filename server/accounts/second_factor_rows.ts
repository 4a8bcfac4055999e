import type { Kysely } from "kysely";
import type { InTransaction, Tables } from "../database/schema.ts";
import { done, refused, type Result } from "./account_fields.ts";
import {
  decryptedSecret,
  encryptedSecret,
  newRecoveryCodes,
  openCodeSetup,
  recoveryCodeHash,
  stepOfCode,
} from "./one_time_codes.ts";
import { endOtherSessions } from "./sessions.ts";
import type { User } from "./users.ts";

const wrongCode = refused(
  "wrong_code",
  "This code is wrong, or was already used. Wait for the next one.",
  "code",
);
/** A second factor is there already. */
export const setUpBefore = refused("invalid", "This second factor is already set up.");
/** A form came back too late, or is none of the user. */
export const tookTooLong = refused("unknown_link", "This took too long. Begin again.");

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

/** What is recorded of one-time codes: whether they are the first, or replace those of another phone. */
export interface CodeRecords {
  added: InTransaction<User>;
  replaced: InTransaction<User>;
}

/**
 * Stores codes of an app. Those of another app are replaced, where `replaced` records it. Refused with `wrong_code`,
 * `unknown_link` or `invalid`.
 */
export async function addCodes(
  transaction: Kysely<Tables>,
  secret: string,
  user: User,
  { sealed, code, now }: { sealed: string; code: string; now: number },
  { added, replaced }: { added: InTransaction<User>; replaced?: InTransaction<User> },
): Promise<Result> {
  const { id: userId } = user;
  const setup = openCodeSetup(secret, user, sealed, now);
  if (setup === null) return tookTooLong;
  const before = await transaction.selectFrom("oneTimeCode").select("encryptedSecret")
    .where("userId", "=", userId).executeTakeFirst();
  const isSame = before !== undefined &&
    decryptedSecret(secret, userId, before.encryptedSecret) === setup.secret;
  const record = before ? replaced : added;
  if (isSame || !record) return setUpBefore;
  const step = stepOfCode(setup.secret, code, now);
  if (step === null) return wrongCode;
  await record(transaction, user);
  await transaction.deleteFrom("oneTimeCode").where("userId", "=", userId).execute();
  await transaction.insertInto("oneTimeCode").values({
    userId,
    encryptedSecret: encryptedSecret(secret, userId, setup.secret),
    lastStep: step,
    createdAt: now,
  }).execute();
  return done(undefined);
}

/** Uses a code of an app, or a recovery code, up. Refused with `wrong_code`. */
export async function useCode(
  transaction: Kysely<Tables>,
  secret: string,
  user: User,
  { code, now }: { code: string; now: number },
  recoveryCodeUsed: InTransaction<User>,
): Promise<Result> {
  const { id } = user;
  const hash = recoveryCodeHash(secret, id, code);
  if (hash !== null) {
    const used = await transaction.deleteFrom("recoveryCode").where("userId", "=", id)
      .where("codeHash", "=", hash).returning("userId").executeTakeFirst();
    if (!used) return wrongCode;
    await recoveryCodeUsed(transaction, user);
    return done(undefined);
  }
  const row = await transaction.selectFrom("oneTimeCode").select("encryptedSecret")
    .where("userId", "=", id).executeTakeFirst();
  if (!row) return wrongCode;
  const ofApp = decryptedSecret(secret, id, row.encryptedSecret);
  const step = ofApp === null ? null : stepOfCode(ofApp, code, now);
  if (step === null) return wrongCode;
  const taken = await transaction.updateTable("oneTimeCode").set({ lastStep: step })
    .where("userId", "=", id).where("lastStep", "<", step).returning("userId")
    .executeTakeFirst();
  return taken ? done(undefined) : wrongCode;
}

/**
 * Leaves a user one session, which has shown the second factor that was just set up, and makes new recovery codes.
 *
 * @returns the codes, which cannot be read again, and the ids of the sessions that ended.
 */
export async function trustOnlySession(
  transaction: Kysely<Tables>,
  secret: string,
  { userId, sessionId }: { userId: string; sessionId: string },
): Promise<{ codes: string[]; ended: string[] }> {
  await transaction.updateTable("session").set({ vouchedBy: "second_factor" })
    .where("id", "=", sessionId).execute();
  const codes = await storeRecoveryCodes(transaction, secret, userId);
  return { codes, ended: await endOtherSessions(transaction, userId, sessionId) };
}

/** Replaces the recovery codes of a user by new ones, which are returned and cannot be read again. */
export async function storeRecoveryCodes(
  transaction: Kysely<Tables>,
  secret: string,
  userId: string,
): Promise<string[]> {
  const codes = newRecoveryCodes();
  await transaction.deleteFrom("recoveryCode").where("userId", "=", userId).execute();
  const hashes = codes.flatMap((code) => recoveryCodeHash(secret, userId, code) ?? []);
  await transaction.insertInto("recoveryCode")
    .values(hashes.map((codeHash) => ({ userId, codeHash }))).execute();
  return codes;
}

/** Deletes what is stored of a user's second factor; sessions that showed it then count as having shown none. */
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
