import type { Database } from "../database/database.ts";

/** Whether something answers within so many milliseconds. */
export async function answersWithin(
  milliseconds: number,
  asked: Promise<unknown>,
): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<false>();
  const timer = setTimeout(resolve, milliseconds, false);
  try {
    return await Promise.race([asked.then(() => true, () => false), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** How long the database has for the simplest question. */
const patienceMs = 2_000;

/**
 * Makes the question whether a database answers. All who ask at the same time share one query, so that
 * asking often costs no connections.
 */
export function databaseAnswers({ queries }: Pick<Database, "queries">): () => Promise<boolean> {
  let asking: Promise<boolean> | undefined;
  const ask = () => {
    const query = queries.selectFrom("migration").select("number").limit(1).execute();
    return answersWithin(patienceMs, query).finally(() => asking = undefined);
  };
  return () => asking ??= ask();
}
