/** What of the settings matters to the platform. */
interface Settings {
  APP_URL?: URL;
  DATABASE_URL?: string;
  DRAIN_MS: number;
  SINGLE_INSTANCE: boolean;
}

/**
 * How long sockets may take to close there, in milliseconds: five seconds after SIGINT the platform
 * kills, and what was counted is saved after the sockets are closed.
 */
const longestDrainMs = 3_000;

/**
 * One line for each setting that Deno Deploy needs otherwise: instances there share no memory and keep
 * no files. The variable `DENO_DEPLOY` tells of it, with `1` or `true`: its documents name both.
 */
export function denoDeployProblems(
  settings: Settings,
  environment: Record<string, string | undefined>,
): string[] {
  if (!environment.DENO_DEPLOY) return [];
  const problems: string[] = [];
  if (!settings.DATABASE_URL) {
    problems.push("DATABASE_URL: not given, but Deno Deploy keeps no files; expected a database");
  }
  if (!settings.APP_URL) {
    problems.push("APP_URL: not given, but Deno Deploy does not tell it; expected the address");
  }
  if (!settings.SINGLE_INSTANCE) {
    problems.push(
      "SINGLE_INSTANCE: not given, but Deno Deploy may run several instances, each of which would " +
        "count its own users; expected true, from whoever sees to it that one runs",
    );
  }
  if (settings.DRAIN_MS > longestDrainMs) {
    problems.push(
      `DRAIN_MS: "${settings.DRAIN_MS}" is not allowed on Deno Deploy, which kills after 5 s; ` +
        `expected at most ${longestDrainMs}`,
    );
  }
  return problems;
}
