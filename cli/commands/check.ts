import { type Finding, type Report, runCheck, stepsOf } from "@/server/check/run_check.ts";
import { addressOf, targetOf } from "@/server/check/target.ts";
import { stepDocsPath } from "@/shared/docs.ts";
import { version } from "@/shared/version.ts";
import { type Command, CommandError, type CommandInput, UsageError } from "../command_line.ts";
import { type Config, readConfig } from "@/server/config/config.ts";
import {
  type KeptSecrets,
  readSecretsFile,
  secretsInDatabase,
} from "@/server/config/stored_secrets.ts";
import { openDatabase } from "@/server/database/database.ts";
import { type InstallationSecrets, secretsWith } from "@/server/config/installation_secrets.ts";
import { withCommandErrors } from "../command_errors.ts";

/** Longer than the idle timeout of any common proxy, in seconds. */
const maxIdleSeconds = 600;

/** `rollcall check` */
export const command: Command = {
  usage: "[--idle SECONDS] [--json]",
  about: [
    "Connects to the public address (APP_URL) the way a browser would, and tells you what to fix:",
    "DNS, TCP, TLS, page, WebSocket, signatures, event delivery. The server has to be running.",
    "Use the settings of that server. Exit code 0: everything works; 1: a check failed.",
  ],
  flags: {
    idle: { value: "SECONDS", about: "Leave the WebSocket idle for 0 to 600 seconds; default: 3" },
    quiet: { value: "SECONDS", about: "The former name of --idle" },
    json: { about: "Print the report as JSON" },
  },
  operands: [0, 0],
  async run({ flags }) {
    const idleMs = idleSeconds(flags) * 1_000;
    const config = readConfig();
    const { appSecret, apps: [app] } = await readSecrets(config);
    const target = targetOf(config, app, appSecret);
    const print = flags.json ? () => {} : (line: string) => console.log(line);
    print(`Rollcall ${version} checks ${addressOf(target)}\n`);
    const width = Math.max(...stepsOf(target).map(({ title }) => title.length));
    let isReached = false;
    const onFinding = (finding: Finding) => {
      isReached ||= finding.step === "page" && finding.state === "ok";
      print(lines(finding, width, isReached ? config.appUrl : null));
    };
    const report = await runCheck(target, { idleMs, onFinding });
    print(`\n${report.summary}`);
    if (flags.json) console.log(asJson(report));
    return report.ok ? 0 : 1;
  },
};

function idleSeconds({ quiet, idle = quiet ?? "3" }: CommandInput["flags"]): number {
  const seconds = /^\d{1,3}$/.test(String(idle)) ? Number(idle) : NaN;
  if (seconds <= maxIdleSeconds) return seconds;
  throw new UsageError(
    `--idle is ${JSON.stringify(idle)}, not a whole number from 0 to ${maxIdleSeconds}`,
  );
}

/**
 * A finding's line, and below it how to fix it.
 *
 * @param appUrl the address of the server, whose documentation is named; null while it is not reached.
 */
function lines(finding: Finding, width: number, appUrl: URL | null): string {
  const { state, step, title, found, change } = finding;
  const stateWord = state === "failed" ? "FAILED" : state;
  const first = `${stateWord.padEnd(11)}${title.padEnd(width + 2)}${found}`;
  const more = appUrl ? [appUrl.href.replace(/\/$/, "") + stepDocsPath(step)] : [];
  const fixes = change === undefined ? [] : [...change.split("\n"), ...more];
  const rest = fixes.map((line) => `${" ".repeat(11)}→ ${line}`);
  return [first, ...rest].join("\n");
}

function asJson({ at, ...report }: Report): string {
  return JSON.stringify({ at: new Date(at).toISOString(), ...report }, null, 2);
}

/**
 * The secrets that the running server signs with. Creates no secrets, and does not open the embedded
 * database.
 *
 * @throws {CommandError} when no server has run with these settings, or its database is unreachable.
 */
export function readSecrets(config: Config): Promise<InstallationSecrets> {
  return withCommandErrors(config, () => secretsWith(config, () => keptSecrets(config)));
}

async function keptSecrets(config: Config): Promise<KeptSecrets> {
  if (config.databaseUrl === undefined) {
    const secrets = await readSecretsFile(config.dataFolder);
    if (secrets) return secrets;
    throw new CommandError(
      `DATA_DIR: ${
        JSON.stringify(config.dataFolder)
      } has no secrets yet; expected the folder of a ` +
        "server that has run",
    );
  }
  const database = await openDatabase(config);
  try {
    return await secretsInDatabase(database, config.dataFolder);
  } finally {
    await database.close();
  }
}
