import { parseEnv } from "node:util";
import { ConfigError } from "./config_error.ts";

/**
 * Reads the variables of a file such as `.env`; none if the file does not exist. As in Laravel's, a value
 * can contain another variable of the file, as in `"${REVERB_HOST}"`. Ignores the byte order
 * mark that editors on Windows put before the first line.
 *
 * @throws {ConfigError} when the file cannot be read.
 */
export function readEnvFile(path: string): Record<string, string | undefined> {
  try {
    return expanded(parseEnv(Deno.readTextFileSync(path).replace(/^\uFEFF/, "")));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return {};
    throw new ConfigError([`${path}: cannot be read; expected a text file, or none`]);
  }
}

/** A value with variables that are not in the file stays as it is. */
function expanded(values: Record<string, string | undefined>): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      value?.replace(/\$\{(\w+)\}/g, (text, other) => values[other] ?? text),
    ]),
  );
}
