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
