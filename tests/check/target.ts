import assert from "node:assert/strict";
import type { Finding, Report } from "../../check/report.ts";
import { runCheck } from "../../check/check.ts";
import type { Target } from "../../check/target.ts";

/** What the server under test signs with. */
export const secrets = {
  APP_KEY: "the app key of the self-test's tests",
  PUSHER_APP_ID: "4711",
  PUSHER_APP_KEY: "a-key-of-the-self-test",
  PUSHER_APP_SECRET: "a secret of the self-test",
};

/** The installation that has these secrets, at a public address. */
export function subjectAt(address: string, changes: Partial<Target> = {}): Target {
  const pages = new URL(address);
  return {
    pages,
    sockets: new URL(address.replace(/^http/, "ws")),
    api: pages,
    isHosted: false,
    app: {
      id: secrets.PUSHER_APP_ID,
      key: secrets.PUSHER_APP_KEY,
      secret: secrets.PUSHER_APP_SECRET,
    },
    isAppIdGiven: true,
    secret: secrets.APP_KEY,
    port: 8000,
    hasTls: false,
    ...changes,
  };
}

/** Tests it, with less patience than people have. */
export function test(
  target: Target,
  options: { patienceMs?: number; quietMs?: number } = {},
): Promise<Report> {
  return runCheck(target, { patienceMs: 2_000, quietMs: 20, ...options });
}

/** The step that failed, which has to be the only one, says what it found and what to change. */
export function assertFails(
  { findings, ok }: Report,
  step: string,
  found: RegExp,
  change: RegExp,
): void {
  const failures = findings.filter(({ state }) => state === "failed");
  assert.deepEqual(failures.map(({ step }) => step), [step], JSON.stringify(failures));
  assert.match(failures[0].found, found);
  assert.match(failures[0].change ?? "", change);
  assert.equal(ok, false);
}

/** The states of the steps, by name. */
export function statesOf(findings: readonly Finding[]): Record<string, string> {
  return Object.fromEntries(findings.map(({ step, state }) => [step, state]));
}
