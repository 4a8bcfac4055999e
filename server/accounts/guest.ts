import { randomBytes } from "node:crypto";
import { mostBlockedGuests } from "@/shared/limits.ts";
import { sign } from "./digest.ts";
import { isSameText } from "@/realtime/protocol/signature.ts";
import { z } from "zod";
import type { Database } from "../database/database.ts";

const purpose = "guest";
const sitePurpose = "guest of a site";
const cookiePattern = /^(guest-[0-9a-f]{32})\.([A-Za-z0-9_-]{43})$/;

/** A visitor who is not signed in, identified by a cookie. */
interface Guest {
  /** Opaque, not a secret: `guest-` and 32 hex digits, which no user's id can be. */
  id: string;
}

/** A new guest with a random id. */
export function newGuest(): Guest {
  return { id: `guest-${randomBytes(16).toString("hex")}` };
}

/** The cookie value that makes a browser this guest: the id and its signature. */
export function guestCookie(secret: string, guest: Guest): string {
  return `${guest.id}.${sign(secret, purpose, guest.id)}`;
}

/** The guest of a cookie value that {@link guestCookie} made with this secret; null for any other value. */
export function readGuestCookie(secret: string, value: string | undefined): Guest | null {
  return signedGuest(secret, purpose, value);
}

/** What a page of another site keeps to stay this guest, which is no cookie of this one. */
export function siteGuest(secret: string, { id }: Guest): string {
  return `${id}.${sign(secret, sitePurpose, id)}`;
}

/** The guest of a text that {@link siteGuest} made with this secret; null for any other text. */
export function readSiteGuest(secret: string, text: string): Guest | null {
  return signedGuest(secret, sitePurpose, text);
}

function signedGuest(secret: string, purpose: string, text: string | undefined): Guest | null {
  const match = text?.match(cookiePattern);
  if (!match) return null;
  const [, id, signature] = match;
  return isSameText(signature, sign(secret, purpose, id)) ? { id } : null;
}

/** A guest whom an admin blocked. */
export interface BlockedGuest {
  guestId: string;
  /** In ms since 1970. */
  blockedAt: number;
  /** The id of the admin. */
  blockedBy: string;
}

const guestIdSchema = z.string().regex(/^guest-[0-9a-f]{32}$/);
const rowSchema = z.object({ guestId: z.string(), blockedAt: z.number(), blockedBy: z.string() });

/**
 * Blocks a guest. This blocks a browser, not a person: without its cookie it is a new guest.
 *
 * @returns false when the id is not a guest's.
 */
export async function blockGuest(database: Database, guest: BlockedGuest): Promise<boolean> {
  if (!guestIdSchema.safeParse(guest.guestId).success) return false;
  const { guestId, blockedAt, blockedBy } = guest;
  await database.exclusively(async (transaction) => {
    await transaction.insertInto("blockedGuest").values({ guestId, blockedAt, blockedBy })
      .onConflict((conflict) => conflict.column("guestId").doUpdateSet({ blockedAt, blockedBy }))
      .execute();
    const beyond = transaction.selectFrom("blockedGuest").select("guestId")
      .orderBy("blockedAt", "desc").orderBy("guestId")
      .limit(1).offset(mostBlockedGuests);
    await transaction.deleteFrom("blockedGuest").where("guestId", "in", beyond).execute();
  });
  return true;
}

/** Unblocks a guest. @returns whether the guest was blocked. */
export async function unblockGuest({ queries }: Database, guestId: string): Promise<boolean> {
  if (!guestIdSchema.safeParse(guestId).success) return false;
  const { numDeletedRows } = await queries.deleteFrom("blockedGuest")
    .where("guestId", "=", guestId).executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Whether a guest is blocked. */
export async function isBlockedGuest({ queries }: Database, guestId: string): Promise<boolean> {
  if (!guestIdSchema.safeParse(guestId).success) return false;
  const row = await queries.selectFrom("blockedGuest").select("guestId")
    .where("guestId", "=", guestId).executeTakeFirst();
  return row !== undefined;
}

/** The guests who were blocked last, newest first. */
export async function listBlockedGuests(
  { queries }: Database,
  limit: number,
): Promise<BlockedGuest[]> {
  const rows = await queries.selectFrom("blockedGuest").selectAll()
    .orderBy("blockedAt", "desc").orderBy("guestId").limit(limit).execute();
  return rows.map((row) => rowSchema.parse(row));
}
