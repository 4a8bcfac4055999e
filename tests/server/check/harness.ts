import assert from "node:assert/strict";
import { type Finding, type Report, runCheck } from "@/server/check/run_check.ts";
import type { Target } from "@/server/check/target.ts";

/** The secrets of the server under test. */
export const secrets = {
  APP_KEY: "the app key of the tests of the check",
  PUSHER_APP_ID: "4711",
  PUSHER_APP_KEY: "a-key-of-the-check",
  PUSHER_APP_SECRET: "a secret of the check",
};

/** The installation with these {@link secrets}, at a public address. */
export function targetAt(address: string, changes: Partial<Target> = {}): Target {
  const pages = new URL(address);
  return {
    pages,
    sockets: new URL(address.replace(/^http/, "ws")),
    api: pages,
    usesExternalServer: false,
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

/** Checks a target, with shorter waits than the defaults. */
export function check(
  target: Target,
  options: { timeoutMs?: number; idleMs?: number } = {},
): Promise<Report> {
  return runCheck(target, { timeoutMs: 2_000, idleMs: 20, ...options });
}

/** Asserts that only this step failed, with what it found and how to fix it. */
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

/** The states of the steps, by the steps' names. */
export function statesOf(findings: readonly Finding[]): Record<string, string> {
  return Object.fromEntries(findings.map(({ step, state }) => [step, state]));
}
