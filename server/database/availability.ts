import type { Database } from "./database.ts";

/** Whether a promise resolves in time; false also when it rejects. */
export async function resolvesWithin(
  milliseconds: number,
  promise: Promise<unknown>,
): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<false>();
  const timer = setTimeout(resolve, milliseconds, false);
  try {
    return await Promise.race([promise.then(() => true, () => false), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Limit for the simplest query, in milliseconds. */
const timeoutMs = 2_000;

/**
 * Makes a probe of a database. Simultaneous calls share one query, so that frequent probes use no
 * additional connections.
 *
 * @returns a function that tests whether the database answers within two seconds.
 */
export function databaseAnswers({ queries }: Pick<Database, "queries">): () => Promise<boolean> {
  let running: Promise<boolean> | undefined;
  const probe = () => {
    const query = queries.selectFrom("migration").select("number").limit(1).execute();
    return resolvesWithin(timeoutMs, query).finally(() => running = undefined);
  };
  return () => running ??= probe();
}
