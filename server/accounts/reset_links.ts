import type { Kysely } from "kysely";
import { insertLink, linkOfToken, type NewLink, type ResetLink } from "./account_links.ts";
import type { Database } from "../database/database.ts";
import type { Tables } from "../database/schema.ts";
import { newPasswordSchema } from "./input.ts";
import { done, invalid, noSuchUser, refused, type Result, unknownLink } from "./result.ts";
import { setPassword } from "./passwords.ts";
import { type Alongside, findUser, type User } from "./users.ts";

/** Makes a link with which a user sets a new password. Refused with `not_found` or `disabled`. */
export async function createResetLink(
  database: Database,
  { userId, createdBy }: { userId: string; createdBy: string },
  alongside: Alongside,
  now = Date.now(),
): Promise<Result<NewLink<ResetLink>>> {
  return await database.exclusively(async (transaction) => {
    const user = await findUser(transaction, userId);
    if (!user) return noSuchUser;
    if (user.disabled) return refused("disabled", "This account is disabled. Enable it first.");
    const made = await insertLink(transaction, { userId }, { createdBy, now });
    await alongside(transaction, user);
    return done(made);
  });
}

/**
 * Gives the user of a link a new password, ends all their sessions and uses the link up, all or nothing.
 * Of concurrent calls, one succeeds. Refused with `unknown_link` or `invalid`.
 */
export async function followResetLink(
  database: Database,
  hashPassword: (password: string) => Promise<string>,
  { token, password }: { token: string; password: string },
  alongside: Alongside,
  now = Date.now(),
): Promise<Result<User>> {
  // Checked before the costly hash, too, since strangers can call this.
  if (!await userToReset(database.queries, token, now)) return unknownLink;
  const parsed = newPasswordSchema.safeParse(password);
  if (!parsed.success) return { ...invalid(parsed.error), field: "password" };
  const passwordHash = await hashPassword(parsed.data);
  return await database.exclusively(async (transaction) => {
    const user = await userToReset(transaction, token, now);
    if (!user) return unknownLink;
    await alongside(transaction, user);
    await setPassword(transaction, user.id, passwordHash);
    return done(user);
  });
}

/** The user whose password a token resets; null when it does not work or the user is disabled. */
export async function userToReset(
  queries: Kysely<Tables>,
  token: string,
  now: number,
): Promise<User | null> {
  const link = await linkOfToken(queries, token, now);
  const user = link && "userId" in link ? await findUser(queries, link.userId) : null;
  return user?.disabled ? null : user;
}
