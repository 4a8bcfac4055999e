import { type Finding, type Report, summaryOf } from "./report.ts";
import type { CheckContext, Step } from "./step.ts";
import { clientAddressStep } from "./steps/client_address.ts";
import { clockStep } from "./steps/clock.ts";
import { connectionStep } from "./steps/connection.ts";
import { dnsStep } from "./steps/dns.ts";
import { type Endpoint, publicEndpoint, socketEndpoint } from "./steps/endpoint.ts";
import { eventStep } from "./steps/event.ts";
import { headersStep } from "./steps/headers.ts";
import { idleStep } from "./steps/idle.ts";
import { installationStep } from "./steps/installation.ts";
import { pageStep } from "./steps/page.ts";
import { signatureStep } from "./steps/signature.ts";
import { tcpStep } from "./steps/tcp.ts";
import { tlsStep } from "./steps/tls.ts";
import { upgradeStep } from "./steps/upgrade.ts";
import { addressOf, type Target } from "./target.ts";
import type { Verdict } from "./verdict.ts";

/** How long a check waits, and who follows it. */
export interface CheckOptions {
  /** Limit for each request or wait of a step, in milliseconds. Default: 5,000. */
  timeoutMs?: number;
  /** How long the WebSocket is left idle, in milliseconds. Default: 3,000. */
  idleMs?: number;
  /** Called with each finding as soon as its step ends. */
  onFinding?: (finding: Finding) => void;
}

/**
 * Connects through the public address back to the server, step by step, and reports which step fails
 * and how to fix it. A step is skipped when one that it needs failed. The check connects only to the
 * addresses of the target and follows no redirect. For a few seconds the server has one additional
 * connection, in two channels with random names.
 */
export async function runCheck(
  target: Target,
  { timeoutMs = 5_000, idleMs = 3_000, onFinding = () => {} }: CheckOptions = {},
): Promise<Report> {
  const at = Date.now();
  const context: CheckContext = { target, timeoutMs, idleMs };
  const findings: Finding[] = [];
  const failedSteps = new Map<string, string>();
  try {
    for (const step of stepsOf(target)) {
      const finding = await findingOf(step, context, failedSteps);
      findings.push(finding);
      onFinding(finding);
    }
  } finally {
    await context.client?.end(timeoutMs);
  }
  return {
    address: addressOf(target),
    at,
    ok: findings.every(({ state }) => state !== "failed"),
    summary: summaryOf(findings),
    findings,
  };
}

/** The steps of a check, in the order in which they run. */
export function stepsOf({ usesExternalServer }: Pick<Target, "usesExternalServer">): Step[] {
  return [
    ...stepsTo(publicEndpoint),
    pageStep,
    installationStep,
    clockStep,
    headersStep,
    clientAddressStep,
    ...(usesExternalServer ? stepsTo(socketEndpoint) : []),
    upgradeStep(usesExternalServer ? [socketEndpoint.names.tls] : ["installation"]),
    connectionStep,
    signatureStep,
    eventStep,
    idleStep,
  ];
}

function stepsTo(endpoint: Endpoint): Step[] {
  return [dnsStep(endpoint), tcpStep(endpoint), tlsStep(endpoint)];
}

/**
 * @param failedSteps maps the name of each step that failed or was skipped to the title of the step
 * that has to be fixed first.
 */
async function findingOf(
  step: Step,
  context: CheckContext,
  failedSteps: Map<string, string>,
): Promise<Finding> {
  const { name, title, needs, run } = step;
  const start = performance.now();
  const finding = ({ state, ...rest }: Verdict): Finding => ({
    ...{ step: name, title, state, ...rest },
    milliseconds: Math.round(performance.now() - start),
  });
  const cause = needs.map((need) => failedSteps.get(need)).find((each) => each !== undefined);
  if (cause !== undefined) {
    failedSteps.set(name, cause);
    return finding({ state: "skipped", found: `Fix "${cause}" first.` });
  }
  const verdict = await run(context);
  if (verdict.state === "failed") failedSteps.set(name, title);
  return finding(verdict);
}
