import type { Kysely } from "kysely";
import {
  insertLink,
  type Invite,
  linkOfToken,
  type NewLink,
  openInvites,
  type ResetLink,
} from "./account_links.ts";
import type { Database } from "../database/database.ts";
import type { InTransaction, Tables } from "../database/schema.ts";
import {
  done,
  invalid,
  invitedSchema,
  inviteSchema,
  newPasswordSchema,
  noSuchUser,
  refused,
  type Result,
  unknownLink,
} from "./account_fields.ts";
import { text } from "@/shared/language.ts";
import { mostInvites } from "@/shared/limits.ts";
import type { Limits } from "@/shared/permissions.ts";
import { findUser, insertUser, type User, userWithEmail } from "./users.ts";
import { passwordHashOf, setPassword } from "./passwords.ts";

/** Invites a person. Refused with `invalid`, `email_taken` or `too_many`. */
export async function createInvite(
  database: Database,
  input: { email: string; role: string; limits: Limits; createdBy: string },
  inTransaction: InTransaction<{ id: string; name: string }>,
  now = Date.now(),
): Promise<Result<NewLink<Invite>>> {
  const parsed = inviteSchema.safeParse(input);
  if (!parsed.success) return invalid(parsed.error);
  const { email } = parsed.data;
  return await database.exclusively(async (transaction) => {
    if (await hasUser(transaction, email)) {
      return refused("email_taken", "This email is already in use.", "email");
    }
    const others = (await openInvites(transaction, now)).filter((open) => open.email !== email);
    if (others.length >= mostInvites) {
      return refused(
        "too_many",
        text`You've reached ${mostInvites} invitations. Revoke one first.`,
      );
    }
    const { createdBy } = input;
    const inserted = await insertLink(transaction, parsed.data, { createdBy, now });
    await inTransaction(transaction, { id: inserted.link.id, name: email });
    return done(inserted);
  });
}

/**
 * Adds the user who was invited, and uses the link up, both or neither. Of concurrent calls, one succeeds.
 * Refused with `unknown_link`, `invalid` or `email_taken`.
 */
export async function acceptInvite(
  database: Database,
  hashPassword: (password: string) => Promise<string>,
  input: { token: string; name: string; password: string },
  inTransaction: (transaction: Kysely<Tables>, user: User, invite: Invite) => Promise<void>,
  now = Date.now(),
): Promise<Result<User>> {
  // Checked before the costly hash, too, since strangers can call this.
  if (!await inviteOf(database.queries, input.token, now)) return unknownLink;
  const parsed = invitedSchema.safeParse(input);
  if (!parsed.success) return invalid(parsed.error);
  const { name, password } = parsed.data;
  const passwordHash = await hashPassword(password);
  return await database.exclusively(async (transaction) => {
    const invite = await inviteOf(transaction, input.token, now);
    if (!invite) return unknownLink;
    const { email, role, limits } = invite;
    const result = await insertUser(transaction, { name, email, role, limits, passwordHash });
    if (!result.ok) return refused("email_taken", "You already have an account. Sign in instead.");
    await inTransaction(transaction, result.value, invite);
    return result;
  });
}

/** The invitation of a token that still works; null when there is none. */
export async function inviteOf(
  queries: Kysely<Tables>,
  token: string,
  now: number,
): Promise<Invite | null> {
  const link = await linkOfToken(queries, token, now);
  return link && "email" in link ? link : null;
}

async function hasUser(transaction: Kysely<Tables>, email: string): Promise<boolean> {
  const user = await transaction.selectFrom("user").select("id").where("email", "=", email)
    .executeTakeFirst();
  return user !== undefined;
}

/** Makes a link with which a user sets a new password. Refused with `not_found` or `disabled`. */
export async function createResetLink(
  database: Database,
  { userId, createdBy }: { userId: string; createdBy: string },
  inTransaction: InTransaction<User>,
  now = Date.now(),
): Promise<Result<NewLink<ResetLink>>> {
  return await database.exclusively(async (transaction) => {
    const user = await findUser(transaction, userId);
    if (!user) return noSuchUser;
    if (user.disabled) return refused("disabled", "This account is disabled. Enable it first.");
    const inserted = await insertLink(transaction, { userId }, { createdBy, now });
    await inTransaction(transaction, user);
    return done(inserted);
  });
}

/**
 * Makes a link with which the user of an email sets a new password, which replaces one that an admin made.
 *
 * @returns null when no enabled account that signs in with a password has the email.
 */
export async function createForgottenLink(
  database: Database,
  email: string,
  inTransaction: InTransaction<User>,
  now = Date.now(),
): Promise<NewLink<ResetLink> | null> {
  return await database.exclusively(async (transaction) => {
    const user = await userWithEmail(transaction, email);
    if (!user || user.disabled || await passwordHashOf(transaction, user.id) === null) return null;
    const { id } = user;
    const made = await insertLink(transaction, { userId: id }, { createdBy: id, now });
    await inTransaction(transaction, user);
    return made;
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
  inTransaction: InTransaction<User>,
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
    await inTransaction(transaction, user);
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
