/** The settings are wrong. `problems` has one line for each bad value, fit for the console. */
export class ConfigError extends Error {
  override name = "ConfigError";
  constructor(readonly problems: string[]) {
    super(problems.join("\n"));
  }
}
