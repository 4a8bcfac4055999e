import type { Kysely } from "kysely";
import type { z } from "zod";
import type { Tables } from "./schema.ts";

/**
 * Reads a stored value; null if there is none.
 *
 * @throws {Error} when the value does not match the schema.
 */
export async function readSetting<Value>(
  queries: Kysely<Tables>,
  name: string,
  schema: z.ZodType<Value>,
): Promise<Value | null> {
  const row = await queries.selectFrom("setting").select("value").where("name", "=", name)
    .executeTakeFirst();
  return row ? schema.parse(JSON.parse(row.value)) : null;
}

/** Stores a value as JSON, and replaces an earlier one of this name. */
export async function writeSetting(
  queries: Kysely<Tables>,
  name: string,
  value: unknown,
): Promise<void> {
  const text = JSON.stringify(value);
  await queries.insertInto("setting").values({ name, value: text })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ value: text }))
    .execute();
}

/**
 * Makes a text that both engines store and return unchanged: without NUL, which PostgreSQL refuses, and
 * without unpaired surrogates.
 *
 * @param maxLength cuts longer texts, in UTF-16 code units.
 */
export function storedText(text: string, maxLength: number): string {
  const cut = text.length > maxLength
    ? text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, "")
    : text;
  return cut.replaceAll("\0", "\ufffd").toWellFormed();
}
