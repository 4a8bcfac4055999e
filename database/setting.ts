import type { Kysely } from "kysely";
import type { z } from "zod";
import type { Tables } from "./schema.ts";

/**
 * The value that is kept under a name, or null when there is none.
 *
 * @throws {Error} when what is kept is not what the schema says.
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

/** Keeps a value, as JSON, under a name, in the place of the one before. */
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
