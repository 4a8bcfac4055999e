import type { Kysely } from "kysely";
import { z } from "zod";
import { idBatches } from "./id_batches.ts";
import type { Database } from "../database/database.ts";
import type { Tables } from "../database/schema.ts";

const rowSchema = z.object({ id: z.string() });

/** The ids of these sessions that have ended or expired. */
export async function endedSessions(
  { queries }: Database,
  ids: readonly string[],
): Promise<string[]> {
  const open = new Set<string>();
  for (const batch of idBatches(ids)) {
    const rows = await queries.selectFrom("session").select("id").where("id", "in", batch)
      .where("expiresAt", ">", new Date()).execute();
    for (const row of rows) open.add(rowSchema.parse(row).id);
  }
  return ids.filter((id) => !open.has(id));
}

/** Whether the account has an open session from this peer. */
export async function hasSessionFrom(
  queries: Kysely<Tables>,
  email: string,
  peer: string,
): Promise<boolean> {
  const session = await queries.selectFrom("session")
    .innerJoin("user", "user.id", "session.userId")
    .select("session.id")
    .where("user.email", "=", email)
    .where("session.ipAddress", "=", peer)
    .where("session.expiresAt", ">", new Date())
    .limit(1).executeTakeFirst();
  return session !== undefined;
}
