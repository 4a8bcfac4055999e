import type { Kysely } from "kysely";
import { z } from "zod";
import { newUnguessableId, SignedIds } from "../accounts/digest.ts";
import type { Database } from "../database/database.ts";
import type { InTransaction, Tables } from "../database/schema.ts";
import { mostEmbeds } from "@/shared/limits.ts";
import type { EmbedSettings } from "./embed_settings.ts";

/** The tokens of embeds. */
export const embedTokens = new SignedIds("embed");

/** A link that gives the count, and nothing else. Times are in ms since 1970. */
export interface Embed extends EmbedSettings {
  id: string;
  createdAt: number;
  /** The id of the admin. */
  createdBy: string;
  /** To the minute. */
  lastUsedAt: number | null;
}

const rowSchema = z.object({
  id: z.string(),
  name: z.string(),
  label: z.string(),
  origins: z.string().transform((text) => z.array(z.string()).parse(JSON.parse(text))),
  readers: z.enum(["none", "listed", "any"]),
  activity: z.enum(["none", "json", "all"]),
  createdAt: z.number(),
  createdBy: z.string(),
  lastUsedAt: z.number().nullable(),
});

/** All embeds, newest first. */
export async function readEmbeds({ queries }: Database): Promise<Embed[]> {
  const rows = await queries.selectFrom("embed").selectAll()
    .orderBy("createdAt", "desc").orderBy("id").execute();
  return rows.map((row) => rowSchema.parse(row));
}

/** Stores a new embed. @returns null when there are as many as allowed. */
export async function storeEmbed(
  database: Database,
  { createdBy, ...settings }: EmbedSettings & { createdBy: string },
  inTransaction: InTransaction<Embed>,
  now: number,
): Promise<Embed | null> {
  const embed = {
    ...settings,
    id: newUnguessableId(),
    createdAt: now,
    createdBy,
    lastUsedAt: null,
  };
  return await database.exclusively(async (transaction) => {
    const stored = await transaction.selectFrom("embed").select("id").execute();
    if (stored.length >= mostEmbeds) return null;
    const origins = JSON.stringify(embed.origins);
    await transaction.insertInto("embed").values({ ...embed, origins }).execute();
    await inTransaction(transaction, embed);
    return embed;
  });
}

/** Changes the settings of an embed. @returns null when no embed has this id. */
export async function changeEmbed(
  database: Database,
  id: string,
  settings: EmbedSettings,
  inTransaction: InTransaction<Embed>,
): Promise<Embed | null> {
  return await database.exclusively(async (transaction) => {
    const row = await transaction.updateTable("embed")
      .set({ ...settings, origins: JSON.stringify(settings.origins) })
      .where("id", "=", id).returningAll().executeTakeFirst();
    return await changed(transaction, row, inTransaction);
  });
}

/** Deletes an embed, whose token is then unknown. @returns null when no embed has this id. */
export async function deleteEmbed(
  database: Database,
  id: string,
  inTransaction: InTransaction<Embed>,
): Promise<Embed | null> {
  return await database.exclusively(async (transaction) => {
    const row = await transaction.deleteFrom("embed").where("id", "=", id)
      .returningAll().executeTakeFirst();
    return await changed(transaction, row, inTransaction);
  });
}

/** Stores when an embed was last used. */
export async function storeUse({ queries }: Database, id: string, at: number): Promise<void> {
  await queries.updateTable("embed").set({ lastUsedAt: at }).where("id", "=", id).execute();
}

async function changed(
  transaction: Kysely<Tables>,
  row: unknown,
  inTransaction: InTransaction<Embed>,
): Promise<Embed | null> {
  if (!row) return null;
  const embed = rowSchema.parse(row);
  await inTransaction(transaction, embed);
  return embed;
}
