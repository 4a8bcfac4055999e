import { parseEnv } from "node:util";
import { ConfigError } from "./config_error.ts";

/**
 * Reads the variables of a file such as `.env`; none if the file does not exist. Ignores the byte order
 * mark that editors on Windows put before the first line.
 *
 * @throws {ConfigError} when the file cannot be read.
 */
export function readEnvFile(path: string): Record<string, string | undefined> {
  try {
    return parseEnv(Deno.readTextFileSync(path).replace(/^\uFEFF/, ""));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return {};
    throw new ConfigError([`${path}: cannot be read; expected a text file, or none`]);
  }
}
