import { readConfig } from "../config.ts";
import { whyNotOpened } from "../start_failure.ts";
import { CommandError } from "./command.ts";

/**
 * Keeps a command that is about the embedded database from being taken for one about the database
 * that is in use.
 *
 * @param instead what is done with that.
 * @throws {CommandError} when a database server is in use.
 */
export function refusePostgres(databaseUrl: string | undefined, instead: string): void {
  if (!databaseUrl) return;
  throw new CommandError(`DATABASE_URL is set: the data is in PostgreSQL; ${instead}`);
}

/**
 * Does what is asked with a database.
 *
 * @throws {CommandError} when the database or a setting does not allow it.
 */
export async function orCommandError<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    const reason = whyNotOpened(error, readConfig());
    if (reason === null) throw error;
    throw new CommandError(reason);
  }
}
