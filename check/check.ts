import type { Journey, Step } from "./step.ts";
import { clientAddressStep } from "./steps/client_address.ts";
import { clockStep } from "./steps/clock.ts";
import { connectionStep } from "./steps/connection.ts";
import { eventStep } from "./steps/event.ts";
import { headersStep } from "./steps/headers.ts";
import { installationStep } from "./steps/installation.ts";
import { nameStep } from "./steps/name.ts";
import { pageStep } from "./steps/page.ts";
import { idleStep } from "./steps/idle.ts";
import { hostedReach, publicReach, type Reach } from "./steps/reach.ts";
import { signatureStep } from "./steps/signature.ts";
import { tcpStep } from "./steps/tcp.ts";
import { tlsStep } from "./steps/tls.ts";
import { upgradeStep } from "./steps/upgrade.ts";
import { type Finding, type Report, summaryOf } from "./report.ts";
import { addressOf, type Target } from "./target.ts";
import type { Verdict } from "./verdict.ts";

/** How a test goes about it. */
export interface CheckOptions {
  /** How long each step of a step may take, in milliseconds. 5,000. */
  patienceMs?: number;
  /** How long the socket is left without a word, in milliseconds. 3,000. */
  quietMs?: number;
  /** Hears of each step as soon as it is judged. */
  found?: (finding: Finding) => void;
}

/**
 * Goes out through the public address and back, step by step, and says where it fails and what to
 * change. A step is not tried when one that it needs failed. It connects to the addresses of the
 * target and nowhere else, and follows no redirect. For a few seconds there is one more connection
 * to the server, in two channels that nobody else knows.
 */
export async function runCheck(
  target: Target,
  { patienceMs = 5_000, quietMs = 3_000, found = () => {} }: CheckOptions = {},
): Promise<Report> {
  const at = Date.now();
  const journey: Journey = { target, patienceMs, quietMs };
  const findings: Finding[] = [];
  const failedSteps = new Map<string, string>();
  try {
    for (const step of stepsOf(target)) {
      const finding = await findingOf(step, journey, failedSteps);
      findings.push(finding);
      found(finding);
    }
  } finally {
    await journey.client?.end(patienceMs);
  }
  return {
    address: addressOf(target),
    at,
    ok: findings.every(({ state }) => state !== "failed"),
    summary: summaryOf(findings),
    findings,
  };
}

/** The steps to what is tested, the nearest first. */
export function stepsOf({ isHosted }: Pick<Target, "isHosted">): Step[] {
  return [
    ...reach(publicReach),
    pageStep,
    installationStep,
    clockStep,
    headersStep,
    clientAddressStep,
    ...(isHosted ? reach(hostedReach) : []),
    upgradeStep(isHosted ? [hostedReach.names.tls] : ["installation"]),
    connectionStep,
    signatureStep,
    eventStep,
    idleStep,
  ];
}

function reach(to: Reach): Step[] {
  return [nameStep(to), tcpStep(to), tlsStep(to)];
}

/**
 * @param failedSteps the titles of the steps that failed, by the names of those that they make
 * pointless, and of themselves.
 */
async function findingOf(
  step: Step,
  journey: Journey,
  failedSteps: Map<string, string>,
): Promise<Finding> {
  const { name, title, needs, run } = step;
  const start = performance.now();
  const finding = ({ state, ...rest }: Verdict): Finding => ({
    ...{ step: name, title, state, ...rest },
    milliseconds: Math.round(performance.now() - start),
  });
  const culprit = needs.map((need) => failedSteps.get(need)).find((each) => each !== undefined);
  if (culprit !== undefined) {
    failedSteps.set(name, culprit);
    return finding({ state: "not tried", found: `“${culprit}” has to be right first.` });
  }
  const verdict = await run(journey);
  if (verdict.state === "failed") failedSteps.set(name, title);
  return finding(verdict);
}
