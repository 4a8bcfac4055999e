/** The settings that Deno Deploy has requirements for. */
interface Settings {
  APP_URL?: URL;
  DATABASE_URL?: string;
  DRAIN_MS: number;
  REDIS_URL?: string;
  SINGLE_INSTANCE: boolean;
  WORKERS: number | "auto";
}

/**
 * Greatest `DRAIN_MS`, in milliseconds: the platform kills the process five seconds after SIGINT, and
 * counts are saved after the WebSockets are closed.
 */
const maxDrainMs = 3_000;

/**
 * One line for each setting that is invalid on Deno Deploy, where instances share no memory and keep no
 * files. The platform sets `DENO_DEPLOY`; its documents name both `1` and `true` as the value.
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
    problems.push(
      "APP_URL: not given, but Deno Deploy does not provide it; expected the public address",
    );
  }
  if (!settings.SINGLE_INSTANCE && settings.REDIS_URL === undefined) {
    problems.push(
      "SINGLE_INSTANCE: not given, but Deno Deploy may run several instances, each of which would " +
        "count its own users; expected true, once you run a single instance, or REDIS_URL",
    );
  }
  if (settings.WORKERS !== 1) {
    problems.push(
      `WORKERS: "${settings.WORKERS}" is not allowed on Deno Deploy, which starts instances by ` +
        "itself; expected 1",
    );
  }
  if (settings.DRAIN_MS > maxDrainMs) {
    problems.push(
      `DRAIN_MS: "${settings.DRAIN_MS}" is not allowed on Deno Deploy, which kills after 5 s; ` +
        `expected at most ${maxDrainMs}`,
    );
  }
  return problems;
}
