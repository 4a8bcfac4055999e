import type { Kysely } from "kysely";
import { z } from "zod";
import { isLinkId, newLinkToken, tokenHashOf } from "../accounts/link_token.ts";
import type { Database } from "../database/database.ts";
import type { InTransaction, Tables } from "../database/schema.ts";
import { mostWallboardLinks } from "@/shared/limits.ts";
import { pathOf } from "@/shared/address.ts";
import { tokenHeader, type WallboardActivity } from "@/shared/wallboard.ts";

/** How often the last use is stored, in ms. */
const useEveryMs = 60_000;

/** A link that opens the wallboard, and nothing else. Times are in ms since 1970. */
export interface WallboardLink {
  id: string;
  name: string;
  activity: WallboardActivity;
  createdAt: number;
  /** The id of the admin. */
  createdBy: string;
  /** To the minute. */
  lastUsedAt: number | null;
  revokedAt: number | null;
}

/** A new link with its token, which is not stored and cannot be shown again, or why none was made. */
export type NewWallboardLink =
  | { ok: true; link: WallboardLink; token: string }
  | { ok: false; reason: "invalid" | "too_many"; message: string };

const nameSchema = z.string().trim().min(1, "Enter a name.").max(100, "At most 100 characters")
  .refine((name) => !/\p{Cc}|\p{Cs}|\p{Bidi_Control}/u.test(name), "Remove control characters.");

const linkSchema = z.object({
  id: z.string(),
  name: z.string(),
  activity: z.enum(["none", "shown"]),
  createdAt: z.number(),
  createdBy: z.string(),
  lastUsedAt: z.number().nullable(),
  revokedAt: z.number().nullable(),
});

/** What a link is made from. */
export interface WallboardLinkInput {
  /** Not checked yet. */
  name: string;
  activity?: WallboardActivity;
  createdBy: string;
}

/** Makes a link. Refused when the name is invalid, or as many links as allowed exist. */
export async function createWallboardLink(
  database: Database,
  { activity = "none", createdBy, ...input }: WallboardLinkInput,
  inTransaction?: InTransaction<WallboardLink>,
  now: number = Date.now(),
): Promise<NewWallboardLink> {
  const name = nameSchema.safeParse(input.name);
  if (!name.success) return { ok: false, reason: "invalid", message: name.error.issues[0].message };
  const { id, token, tokenHash } = newLinkToken();
  const link: WallboardLink = {
    id,
    name: name.data,
    activity,
    createdAt: now,
    createdBy,
    lastUsedAt: null,
    revokedAt: null,
  };
  return await database.exclusively(async (transaction) => {
    if (await countLive(transaction) >= mostWallboardLinks) {
      const message = `You've reached ${mostWallboardLinks} links. Revoke one first.`;
      return { ok: false, reason: "too_many", message };
    }
    await transaction.insertInto("wallboardLink").values({ ...link, tokenHash }).execute();
    await inTransaction?.(transaction, link);
    return { ok: true, link, token };
  });
}

/** The working link with an id; null when there is none. */
export async function wallboardLink(
  { queries }: Database,
  id: string,
): Promise<WallboardLink | null> {
  if (!isLinkId(id)) return null;
  const row = await queries.selectFrom("wallboardLink").selectAll()
    .where("id", "=", id).where("revokedAt", "is", null).executeTakeFirst();
  return row ? linkSchema.parse(row) : null;
}

/** The working links and those revoked last, newest first. */
export async function listWallboardLinks({ queries }: Database): Promise<WallboardLink[]> {
  const rows = await queries.selectFrom("wallboardLink").selectAll()
    .orderBy("createdAt", "desc").orderBy("id").execute();
  return rows.map((row) => linkSchema.parse(row));
}

/** Revokes a link. @returns the link; null when no working link has this id. */
export async function revokeWallboardLink(
  database: Database,
  id: string,
  inTransaction?: InTransaction<WallboardLink>,
  now: number = Date.now(),
): Promise<WallboardLink | null> {
  if (!isLinkId(id)) return null;
  return await database.exclusively(async (transaction) => {
    const row = await transaction.updateTable("wallboardLink").set({ revokedAt: now })
      .where("id", "=", id).where("revokedAt", "is", null)
      .returningAll().executeTakeFirst();
    await forgetRevoked(transaction);
    const link = row ? linkSchema.parse(row) : null;
    if (link) await inTransaction?.(transaction, link);
    return link;
  });
}

/** The working link with a token; null when there is none. Stores that the link was used. */
export async function findWallboardLink(
  { queries }: Database,
  token: string,
  now: number = Date.now(),
): Promise<WallboardLink | null> {
  const tokenHash = tokenHashOf(token);
  if (tokenHash === null) return null;
  const row = await queries.selectFrom("wallboardLink").selectAll()
    .where("tokenHash", "=", tokenHash).where("revokedAt", "is", null).executeTakeFirst();
  if (!row) return null;
  const link = linkSchema.parse(row);
  if (link.lastUsedAt !== null && now - link.lastUsedAt < useEveryMs) return link;
  await queries.updateTable("wallboardLink").set({ lastUsedAt: now }).where("id", "=", link.id)
    .execute();
  return { ...link, lastUsedAt: now };
}

async function countLive(transaction: Kysely<Tables>): Promise<number> {
  const rows = await transaction.selectFrom("wallboardLink").select("id")
    .where("revokedAt", "is", null).execute();
  return rows.length;
}

async function forgetRevoked(transaction: Kysely<Tables>): Promise<void> {
  const remembered = transaction.selectFrom("wallboardLink").select("id")
    .where("revokedAt", "is not", null)
    .orderBy("revokedAt", "desc").orderBy("id").limit(mostWallboardLinks);
  await transaction.deleteFrom("wallboardLink")
    .where("revokedAt", "is not", null).where("id", "not in", remembered).execute();
}

/**
 * Whether a request is for a wallboard's page, or from one to join its channel. Its cookies are ignored:
 * the page is not counted, and an admin sees the same as everyone.
 */
export function isWallboardRequest(request: Request, url: URL): boolean {
  const path = pathOf(url);
  return path.startsWith("/wallboard/") ||
    (path === "/broadcasting/auth" && request.headers.has(tokenHeader));
}
