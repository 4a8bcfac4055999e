import { randomBytes, randomInt } from "node:crypto";
import type { Kysely } from "kysely";
import { z } from "zod";
import type { StoredApp } from "../config/served_apps.ts";
import type { Tables } from "../database/schema.ts";

const rowSchema = z.object({
  id: z.string(),
  name: z.string(),
  key: z.string(),
  secret: z.string().nullable(),
});

/** All stored apps, the oldest first. */
export async function readStoredApps(queries: Kysely<Tables>): Promise<StoredApp[]> {
  const rows = await queries.selectFrom("app").selectAll().orderBy("createdAt").orderBy("id")
    .execute();
  return rows.map((row) => rowSchema.parse(row));
}

/** Stores an app, or replaces the one with its id. */
export async function writeStoredApp(
  queries: Kysely<Tables>,
  { id, name, key, secret }: StoredApp,
): Promise<void> {
  await queries.insertInto("app").values({ id, name, key, secret, createdAt: Date.now() })
    .onConflict((conflict) => conflict.column("id").doUpdateSet({ name, key, secret })).execute();
}

/** Deletes an app. */
export async function deleteStoredApp(queries: Kysely<Tables>, id: string): Promise<void> {
  await queries.deleteFrom("app").where("id", "=", id).execute();
}

/** An app with a new id, key and secret. */
export function newApp(name: string): StoredApp & { secret: string } {
  return {
    id: String(randomInt(100_000, 10_000_000)),
    name,
    key: randomBytes(10).toString("hex"),
    secret: newAppSecret(),
  };
}

/** A secret of 160 bits. */
export function newAppSecret(): string {
  return randomBytes(20).toString("hex");
}
