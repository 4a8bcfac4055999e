import type { Kysely } from "kysely";
import { z } from "zod";
import type { Database } from "../database/database.ts";
import { roleSchema, storedLimits } from "./account_fields.ts";
import { isLinkId, newLinkToken, tokenHashOf } from "./link_token.ts";
import type { Tables } from "../database/schema.ts";
import { accountLinkHours } from "@/shared/limits.ts";
import type { Limits, Role } from "@/shared/permissions.ts";

const lifetimeMs = accountLinkHours * 60 * 60 * 1_000;

/** A link that an admin made, which works once. Times are in ms since 1970. */
interface Link {
  id: string;
  /** The id of the admin. */
  createdBy: string;
  createdAt: number;
  expiresAt: number;
}

/** An invitation: who opens the link gets an account with this email, role and limits. */
export interface Invite extends Link {
  email: string;
  role: Role;
  limits: Limits;
}

/** A link with which a user sets a new password. */
export interface ResetLink extends Link {
  userId: string;
}

/** A link of either kind. */
export type AccountLink = Invite | ResetLink;

/** What a link is for. */
export type LinkPurpose = { email: string; role: Role; limits: Limits } | { userId: string };

/** A link with its token, which is not stored and cannot be shown again. */
export interface NewLink<Kind> {
  link: Kind;
  token: string;
}

const shared = {
  id: z.string(),
  createdBy: z.string(),
  createdAt: z.number(),
  expiresAt: z.number(),
};
const inviteSchema = z.object({
  ...shared,
  email: z.string(),
  role: roleSchema,
  limits: storedLimits,
});
const resetLinkSchema = z.object({ ...shared, userId: z.string() });
const linkSchema = z.union([inviteSchema, resetLinkSchema]);

/** Makes a link, which replaces the person's previous one. Deletes expired ones. */
export async function insertLink<Purpose extends LinkPurpose>(
  transaction: Kysely<Tables>,
  purpose: Purpose,
  { createdBy, now }: { createdBy: string; now: number },
): Promise<NewLink<Link & Purpose>> {
  await transaction.deleteFrom("accountLink").where("expiresAt", "<=", now).execute();
  await deleteLinksFor(transaction, purpose);
  const { id, token, tokenHash } = newLinkToken();
  const fields: Link = { id, createdBy, createdAt: now, expiresAt: now + lifetimeMs };
  const link = { ...fields, ...purpose };
  const limits = "limits" in purpose && purpose.limits ? JSON.stringify(purpose.limits) : null;
  await transaction.insertInto("accountLink").values({ ...link, limits, tokenHash }).execute();
  return { link, token };
}

/** The link of a token that still works; null when there is none. */
export async function linkOfToken(
  queries: Kysely<Tables>,
  token: string,
  now: number,
): Promise<AccountLink | null> {
  const tokenHash = tokenHashOf(token);
  if (tokenHash === null) return null;
  const row = await queries.selectFrom("accountLink").selectAll()
    .where("tokenHash", "=", tokenHash).where("expiresAt", ">", now).executeTakeFirst();
  return row ? linkSchema.parse(row) : null;
}

/** The invitations that still work, newest first. */
export async function openInvites(queries: Kysely<Tables>, now: number): Promise<Invite[]> {
  const rows = await queries.selectFrom("accountLink").selectAll()
    .where("email", "is not", null).where("expiresAt", ">", now)
    .orderBy("createdAt", "desc").orderBy("id").execute();
  return rows.map((row) => inviteSchema.parse(row));
}

/** The link with which a user can set a password now; null when there is none. */
export async function openResetLink(
  queries: Kysely<Tables>,
  userId: string,
  now: number,
): Promise<ResetLink | null> {
  const row = await queries.selectFrom("accountLink").selectAll()
    .where("userId", "=", userId).where("expiresAt", ">", now).executeTakeFirst();
  return row ? resetLinkSchema.parse(row) : null;
}

/** Revokes a link. @returns it; null when none that works has this id. */
export async function revokeLink(
  database: Database,
  id: string,
  inTransaction: (transaction: Kysely<Tables>, link: AccountLink) => Promise<void>,
  now = Date.now(),
): Promise<AccountLink | null> {
  if (!isLinkId(id)) return null;
  return await database.exclusively(async (transaction) => {
    const row = await transaction.deleteFrom("accountLink")
      .where("id", "=", id).where("expiresAt", ">", now).returningAll().executeTakeFirst();
    if (!row) return null;
    const link = linkSchema.parse(row);
    await inTransaction(transaction, link);
    return link;
  });
}

/** Deletes the link of a person, if there is one. */
export async function deleteLinksFor(
  transaction: Kysely<Tables>,
  person: { email: string } | { userId: string },
): Promise<void> {
  const links = transaction.deleteFrom("accountLink");
  await ("userId" in person
    ? links.where("userId", "=", person.userId)
    : links.where("email", "=", person.email)).execute();
}

/** Deletes the links of a user who may no longer make any. */
export async function deleteLinksBy(transaction: Kysely<Tables>, userId: string): Promise<void> {
  await transaction.deleteFrom("accountLink").where("createdBy", "=", userId).execute();
}
