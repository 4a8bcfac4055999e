import { type Config, ConfigError } from "@/server/config/config.ts";
import { whyNotOpened } from "@/server/process/start_failure.ts";
import { CommandError } from "./command_line.ts";

/**
 * Runs work with the database or the secrets of an installation.
 *
 * @throws {CommandError} when a setting, the data folder or the database prevents it.
 * @throws {ConfigError} when settings contradict each other.
 */
export async function withCommandErrors<Value>(
  config: Config,
  work: () => Promise<Value>,
): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ConfigError || error instanceof CommandError) throw error;
    const reason = whyNotOpened(error, config);
    if (reason === null) throw error;
    throw new CommandError(reason);
  }
}

/**
 * Prevents a command for the embedded database from running while PostgreSQL is in use.
 *
 * @param instead what to do in that case.
 * @throws {CommandError} when `databaseUrl` is set.
 */
export function refusePostgres(databaseUrl: string | undefined, instead: string): void {
  if (!databaseUrl) return;
  throw new CommandError(`DATABASE_URL is set, so the data is in PostgreSQL; ${instead}`);
}
