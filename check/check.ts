import type { Hop, Journey } from "./step.ts";
import { clientAddressHop } from "./steps/client_address.ts";
import { clockHop } from "./steps/clock.ts";
import { connectionHop } from "./steps/connection.ts";
import { eventHop } from "./steps/event.ts";
import { headersHop } from "./steps/headers.ts";
import { installationHop } from "./steps/installation.ts";
import { nameHop } from "./steps/name.ts";
import { pageHop } from "./steps/page.ts";
import { quietHop } from "./steps/idle.ts";
import { hostedReach, publicReach, type Reach } from "./steps/reach.ts";
import { signatureHop } from "./steps/signature.ts";
import { tcpHop } from "./steps/tcp.ts";
import { tlsHop } from "./steps/tls.ts";
import { upgradeHop } from "./steps/upgrade.ts";
import { type Finding, type Report, summaryOf } from "./report.ts";
import { addressOf, type Subject } from "./target.ts";
import type { Verdict } from "./verdict.ts";

/** How a test goes about it. */
export interface SelfTestOptions {
  /** How long each step of a hop may take, in milliseconds. 5,000. */
  patienceMs?: number;
  /** How long the socket is left without a word, in milliseconds. 3,000. */
  quietMs?: number;
  /** Hears of each hop as soon as it is judged. */
  found?: (finding: Finding) => void;
}

/**
 * Goes out through the public address and back, hop by hop, and says where it fails and what to
 * change. A hop is not tried when one that it needs failed. It connects to the addresses of the
 * subject and nowhere else, and follows no redirect. For a few seconds there is one more connection
 * to the server, in two channels that nobody else knows.
 */
export async function runSelfTest(
  subject: Subject,
  { patienceMs = 5_000, quietMs = 3_000, found = () => {} }: SelfTestOptions = {},
): Promise<Report> {
  const at = Date.now();
  const journey: Journey = { subject, patienceMs, quietMs };
  const findings: Finding[] = [];
  const failedHops = new Map<string, string>();
  try {
    for (const hop of hopsOf(subject)) {
      const finding = await findingOf(hop, journey, failedHops);
      findings.push(finding);
      found(finding);
    }
  } finally {
    await journey.client?.end(patienceMs);
  }
  return {
    address: addressOf(subject),
    at,
    ok: findings.every(({ state }) => state !== "failed"),
    summary: summaryOf(findings),
    findings,
  };
}

/** The hops to what is tested, the nearest first. */
export function hopsOf({ isHosted }: Pick<Subject, "isHosted">): Hop[] {
  return [
    ...reach(publicReach),
    pageHop,
    installationHop,
    clockHop,
    headersHop,
    clientAddressHop,
    ...(isHosted ? reach(hostedReach) : []),
    upgradeHop(isHosted ? [hostedReach.names.tls] : ["installation"]),
    connectionHop,
    signatureHop,
    eventHop,
    quietHop,
  ];
}

function reach(to: Reach): Hop[] {
  return [nameHop(to), tcpHop(to), tlsHop(to)];
}

/**
 * @param failedHops the titles of the hops that failed, by the names of those that they make
 * pointless, and of themselves.
 */
async function findingOf(
  hop: Hop,
  journey: Journey,
  failedHops: Map<string, string>,
): Promise<Finding> {
  const { name, title, needs, run } = hop;
  const start = performance.now();
  const finding = ({ state, ...rest }: Verdict): Finding => ({
    ...{ hop: name, title, state, ...rest },
    milliseconds: Math.round(performance.now() - start),
  });
  const culprit = needs.map((need) => failedHops.get(need)).find((each) => each !== undefined);
  if (culprit !== undefined) {
    failedHops.set(name, culprit);
    return finding({ state: "not tried", found: `“${culprit}” has to be right first.` });
  }
  const verdict = await run(journey);
  if (verdict.state === "failed") failedHops.set(name, title);
  return finding(verdict);
}
