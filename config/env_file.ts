import { parseEnv } from "node:util";
import { ConfigError } from "./config_error.ts";

/**
 * The variables of a file such as `.env`; none when there is no file. The mark that editors on Windows
 * put before the first line is no part of its name.
 *
 * @throws {ConfigError} when it cannot be read.
 */
export function readEnvFile(path: string): Record<string, string | undefined> {
  try {
    return parseEnv(Deno.readTextFileSync(path).replace(/^\uFEFF/, ""));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return {};
    throw new ConfigError([`${path}: cannot be read; expected a text file, or none`]);
  }
}
