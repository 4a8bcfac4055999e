import { type Config, ConfigError } from "../config/config.ts";
import { whyNotOpened } from "../process/start_failure.ts";
import { CommandError } from "./command.ts";

/**
 * Does something with the database or the secrets of an installation.
 *
 * @throws {CommandError} when one of them, or a setting that leads there, does not allow it.
 * @throws {ConfigError} when settings contradict each other.
 */
export async function explained<Value>(
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
