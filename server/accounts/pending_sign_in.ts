import type { Kysely } from "kysely";
import { z } from "zod";
import type { Tables } from "../database/schema.ts";
import { digest, seal, unseal } from "./digest.ts";
import { passwordHashOf } from "./passwords.ts";
import { findUser, type User } from "./users.ts";

/** How long a person has for the second factor after the password, in seconds. */
export const pendingSeconds = 10 * 60;

const purpose = "pending sign-in";
const pendingSchema = z.object({ at: z.number() });

/**
 * The ticket of a browser whose password was right, for any server of the installation. It is no session: it only
 * lets the browser try a second factor, until the password changes.
 *
 * @param now in ms since 1970.
 */
export async function newPendingSignIn(
  queries: Kysely<Tables>,
  secret: string,
  userId: string,
  now: number,
): Promise<string> {
  const bound = await boundOf(queries, userId);
  return `${userId}.${seal(secret, purpose, { at: now }, ...bound)}`;
}

/** The user of a ticket; null when it is none, too old, or of a password that is no more. */
export async function userOfPendingSignIn(
  queries: Kysely<Tables>,
  secret: string,
  ticket: string | undefined,
  now: number,
): Promise<User | null> {
  const [userId, ...sealed] = ticket?.split(".") ?? [];
  // An id that no user can have is not looked up.
  const user = userId ? await findUser(queries, userId) : null;
  if (user === null || user.disabled) return null;
  const bound = await boundOf(queries, user.id);
  const pending = unseal(secret, purpose, pendingSchema, sealed.join("."), ...bound);
  if (pending === null || Math.abs(now - pending.at) > pendingSeconds * 1_000) return null;
  return user;
}

/** What a ticket is bound to: the user, with the password that was right. */
async function boundOf(queries: Kysely<Tables>, userId: string): Promise<string[]> {
  return [userId, digest(await passwordHashOf(queries, userId) ?? "")];
}
