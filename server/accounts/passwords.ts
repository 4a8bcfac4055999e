import type { Kysely } from "kysely";
import { deleteLinksFor } from "./account_links.ts";
import type { Tables } from "../database/schema.ts";
import { endSessions } from "./sessions.ts";

/** better-auth's name for accounts with a password. */
export const passwordProvider = "credential";

/** Stores the hash of a new password, ends all sessions of the user, and deletes the link to reset it. */
export async function setPassword(
  transaction: Kysely<Tables>,
  id: string,
  passwordHash: string,
): Promise<void> {
  await storePassword(transaction, id, passwordHash);
  await endSessions(transaction, id);
}

/** Stores the hash of a new password, and deletes the link to reset it. */
export async function storePassword(
  transaction: Kysely<Tables>,
  id: string,
  passwordHash: string,
): Promise<void> {
  await transaction.updateTable("account")
    .set({ password: passwordHash, updatedAt: new Date() })
    .where("userId", "=", id).where("providerId", "=", passwordProvider)
    .execute();
  await deleteLinksFor(transaction, { userId: id });
}

/** The hash of a user's password; null when there is none. */
export async function passwordHashOf(queries: Kysely<Tables>, id: string): Promise<string | null> {
  const row = await queries.selectFrom("account").select("password")
    .where("userId", "=", id).where("providerId", "=", passwordProvider).executeTakeFirst();
  return row?.password ?? null;
}
