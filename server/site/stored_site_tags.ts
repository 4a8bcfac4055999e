import type { Kysely } from "kysely";
import { z } from "zod";
import { mostSiteTags } from "@/shared/limits.ts";
import type { Guide } from "@/shared/connect.ts";
import { newUnguessableId, SignedIds } from "../accounts/digest.ts";
import type { Database } from "../database/database.ts";
import type { InTransaction, Tables } from "../database/schema.ts";
import {
  linkNameSchema,
  originListSchema,
  type ReadSettings,
  readSettings,
} from "../embed/embed_settings.ts";
import { text } from "@/shared/language.ts";
import { longText } from "@/shared/long_text.ts";

/** The tokens of site tags. */
export const siteTokens = new SignedIds("site tag");

/** What an admin sets of a site tag. */
export interface SiteTagSettings {
  /** For admins. */
  name: string;
  /** The origins whose visitors are counted, as `https://example.com`. */
  origins: string[];
}

/** A tag that counts the visitors of other sites. Times are in ms since 1970. */
export interface SiteTag extends SiteTagSettings {
  id: string;
  createdAt: number;
  /** The id of the admin. */
  createdBy: string;
  /** To the minute. */
  lastUsedAt: number | null;
}

const settingsSchema = z.object({
  name: linkNameSchema,
  origins: originListSchema.pipe(
    z.array(z.string()).min(1, {
      error: () => text`Enter the origin of the site.`,
    }),
  ),
});

/** Reads the settings of a form; its origins are separated by spaces, commas or lines. */
export function readSiteTagSettings(
  input: Record<keyof SiteTagSettings, string>,
): ReadSettings<SiteTagSettings> {
  return readSettings(settingsSchema, input);
}

const rowSchema = z.object({
  id: z.string(),
  name: z.string(),
  origins: z.string().transform((json) => z.array(z.string()).parse(JSON.parse(json))),
  createdAt: z.number(),
  createdBy: z.string(),
  lastUsedAt: z.number().nullable(),
});

/** All site tags, newest first. */
export async function listSiteTags({ queries }: Database): Promise<SiteTag[]> {
  const rows = await queries.selectFrom("siteTag").selectAll()
    .orderBy("createdAt", "desc").orderBy("id").execute();
  return rows.map((row) => rowSchema.parse(row));
}

/** The site tag with an id; null when there is none. */
export async function findSiteTag({ queries }: Database, id: string): Promise<SiteTag | null> {
  const row = await queries.selectFrom("siteTag").selectAll()
    .where("id", "=", id).executeTakeFirst();
  return row ? rowSchema.parse(row) : null;
}

/** Stores a new site tag. @returns null when there are as many as allowed. */
export async function storeSiteTag(
  database: Database,
  { createdBy, ...settings }: SiteTagSettings & { createdBy: string },
  inTransaction?: InTransaction<SiteTag>,
  now: number = Date.now(),
): Promise<SiteTag | null> {
  const id = newUnguessableId();
  const tag = { ...settings, id, createdAt: now, createdBy, lastUsedAt: null };
  return await database.exclusively(async (transaction) => {
    const stored = await transaction.selectFrom("siteTag").select("id").execute();
    if (stored.length >= mostSiteTags) return null;
    const origins = JSON.stringify(tag.origins);
    await transaction.insertInto("siteTag").values({ ...tag, origins }).execute();
    await inTransaction?.(transaction, tag);
    return tag;
  });
}

/** Changes the settings of a site tag. @returns null when no tag has this id. */
export async function changeSiteTag(
  database: Database,
  id: string,
  { name, origins }: SiteTagSettings,
  inTransaction?: InTransaction<SiteTag>,
): Promise<SiteTag | null> {
  return await database.exclusively(async (transaction) => {
    const row = await transaction.updateTable("siteTag")
      .set({ name, origins: JSON.stringify(origins) })
      .where("id", "=", id).returningAll().executeTakeFirst();
    return await changed(transaction, row, inTransaction);
  });
}

/** Deletes a site tag, whose token is then unknown. @returns null when no tag has this id. */
export async function deleteSiteTag(
  database: Database,
  id: string,
  inTransaction?: InTransaction<SiteTag>,
): Promise<SiteTag | null> {
  return await database.exclusively(async (transaction) => {
    const row = await transaction.deleteFrom("siteTag").where("id", "=", id)
      .returningAll().executeTakeFirst();
    return await changed(transaction, row, inTransaction);
  });
}

/** Stores when a site tag was last used. */
export async function storeSiteTagUse(
  { queries }: Database,
  id: string,
  at: number,
): Promise<void> {
  await queries.updateTable("siteTag").set({ lastUsedAt: at }).where("id", "=", id).execute();
}

async function changed(
  transaction: Kysely<Tables>,
  row: unknown,
  inTransaction?: InTransaction<SiteTag>,
): Promise<SiteTag | null> {
  if (!row) return null;
  const tag = rowSchema.parse(row);
  await inTransaction?.(transaction, tag);
  return tag;
}

/** The code that an admin copies into the pages of a site. @param address of the tag's script */
export function siteCode(address: string): Guide[] {
  return [{
    id: "site",
    title: text`Script`,
    intro: longText(
      "On each page whose visitors should be counted, before its </head>. The element shows the number ",
      "where you want it; leave it out to count only.",
    ),
    files: [
      { name: text`Head`, language: "html", text: `<script async src="${address}"></script>` },
      { name: text`Number`, language: "html", text: `<span data-rollcall-count></span>` },
    ],
  }];
}
