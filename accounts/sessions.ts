import { z } from "zod";
import { idBatches } from "./id_batches.ts";
import type { Database } from "../database/database.ts";

const rowSchema = z.object({ id: z.string() });

/** The ids of these sessions that have ended. */
export async function endedSessions(
  { queries }: Database,
  ids: readonly string[],
): Promise<string[]> {
  const open = new Set<string>();
  for (const batch of idBatches(ids)) {
    const rows = await queries.selectFrom("session").select("id").where("id", "in", batch)
      .execute();
    for (const row of rows) open.add(rowSchema.parse(row).id);
  }
  return ids.filter((id) => !open.has(id));
}
