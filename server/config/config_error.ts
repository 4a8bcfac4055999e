/** Settings are invalid. `problems` has one line for each of them, without secrets. */
export class ConfigError extends Error {
  override name = "ConfigError";
  constructor(readonly problems: string[]) {
    super(problems.join("\n"));
  }
}
