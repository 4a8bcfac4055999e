import { z } from "zod";
import type { Database } from "../database/database.ts";

/** Far below the number of parameters that a statement may have. */
const idsOfAQuery = 500;

const rowSchema = z.object({ id: z.string() });

/** Those of the sessions with these ids that are over. */
export async function endedSessions(
  { queries }: Database,
  ids: readonly string[],
): Promise<string[]> {
  const going = new Set<string>();
  for (let start = 0; start < ids.length; start += idsOfAQuery) {
    const some = ids.slice(start, start + idsOfAQuery);
    const rows = await queries.selectFrom("session").select("id").where("id", "in", some).execute();
    for (const row of rows) going.add(rowSchema.parse(row).id);
  }
  return ids.filter((id) => !going.has(id));
}
