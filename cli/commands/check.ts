import { readConfig } from "../../config/config.ts";
import type { Finding, Report } from "../../check/report.ts";
import { runCheck, stepsOf } from "../../check/check.ts";
import { addressOf, targetOf } from "../../check/target.ts";
import { version } from "../../shared/version.ts";
import { type Command, type Given, UsageError } from "../command.ts";
import { readSecrets } from "../secrets.ts";

/** Longer than any proxy waits, in seconds. */
const longestQuietSeconds = 600;

/** Tests the way through the public address. */
export const command: Command = {
  usage: "[--quiet SECONDS] [--json]",
  about: [
    "Goes out through the public address (APP_URL) to the running server and back: name, TCP, TLS,",
    "page, socket, signatures, an event. Says which step fails and what to change.",
    "It needs the settings of the running server. Exit code 0: all is well; 1: a step failed.",
  ],
  flags: {
    quiet: {
      value: "SECONDS",
      about: "How long the socket is left without a word, up to 600; 3 by default",
    },
    json: { about: "As JSON, for programs" },
  },
  operands: [0, 0],
  async run({ flags }) {
    const quietMs = quietSeconds(flags) * 1_000;
    const config = readConfig();
    const { appSecret, apps: [app] } = await readSecrets(config);
    const subject = targetOf(config, app, appSecret);
    const say = flags.json ? () => {} : (line: string) => console.log(line);
    say(`Rollcall ${version} checks ${addressOf(subject)}\n`);
    const width = Math.max(...stepsOf(subject).map(({ title }) => title.length));
    const found = (finding: Finding) => say(lines(finding, width));
    const report = await runCheck(subject, { quietMs, found });
    say(`\n${report.summary}`);
    if (flags.json) console.log(asJson(report));
    return report.ok ? 0 : 1;
  },
};

function quietSeconds({ quiet = "3" }: Given["flags"]): number {
  const seconds = /^\d{1,3}$/.test(String(quiet)) ? Number(quiet) : NaN;
  if (seconds <= longestQuietSeconds) return seconds;
  throw new UsageError(
    `--quiet is ${JSON.stringify(quiet)}, not a whole number from 0 to ${longestQuietSeconds}`,
  );
}

/** A step, and beneath it what to change. */
function lines({ state, title, found, change }: Finding, width: number): string {
  const stateWord = state === "failed" ? "FAILED" : state;
  const first = `${stateWord.padEnd(11)}${title.padEnd(width + 2)}${found}`;
  const rest = change?.split("\n").map((line) => `${" ".repeat(11)}→ ${line}`) ?? [];
  return [first, ...rest].join("\n");
}

function asJson({ at, ...report }: Report): string {
  return JSON.stringify({ at: new Date(at).toISOString(), ...report }, null, 2);
}
