/**
 * The check of the public address: connects to it as a client would, step by step, and says which step fails
 * and how to fix it. `rollcall check` runs it, and the settings page does through `server_checks.ts`.
 *
 * `stepsOf` is the order: DNS, TCP and TLS, pages, whether the address leads back to this installation, its
 * clock, proxy headers and client addresses, then a WebSocket, signatures, an event and an idle time. A step
 * in `steps/` does its part over the network, and judges what it found with a pure function beside it. What a
 * step leaves for later ones is in the `CheckContext`; it names the steps that it needs, and is skipped when
 * one of them failed, with the title of the step that has to be fixed first.
 *
 * The promises: each failure names one cause and says what to change. No step rejects or waits for more than
 * a small multiple of its limit. The check connects to the target's addresses only, follows no redirect, and
 * prints no secret; text of other servers is made safe to print. Its request to this installation is signed
 * (`self_request.ts`), so that strangers learn nothing by sending one.
 *
 * The trade-off: it connects from where it runs. A name that resolves differently inside the network, or a
 * firewall that lets only the server through, is not noticed. It takes seconds, as an idle socket has to be
 * waited for.
 *
 * @module
 */
import { z } from "zod";
import { type CheckContext, skipped, type Step, type StepState } from "./step.ts";
import { clientAddressStep, clockStep, installationStep } from "./steps/installation.ts";
import { connectionStep, idleStep } from "./steps/socket.ts";
import { dnsStep, tcpStep } from "./steps/network.ts";
import {
  type Endpoint,
  headersStep,
  publicEndpoint,
  socketEndpoint,
  upgradeStep,
} from "./steps/upgrade.ts";
import { eventStep, signatureStep } from "./steps/signature.ts";
import { pageStep } from "./steps/page.ts";
import { tlsStep } from "./steps/tls.ts";
import { addressOf, type Target } from "./target.ts";
import { inLanguage } from "../language/languages.ts";
import { type Language, reader, text } from "@/shared/language.ts";

const states = ["ok", "failed", "skipped"] as const satisfies readonly StepState[];

/** What a finding says, in one language. */
const wordsSchema = z.object({
  title: z.string(),
  found: z.string(),
  change: z.string().optional(),
});

const findingSchema = z.object({
  /** The step's name. */
  step: z.string(),
  title: z.string(),
  state: z.enum(states),
  /** A sentence: what was found, or why the step was skipped. */
  found: z.string(),
  /** How to fix it, one sentence or more per line. Only of a step that failed. */
  change: z.string().optional(),
  milliseconds: z.number(),
  /** The same in the other languages that readers can have, by tag. */
  translations: z.record(z.string(), wordsSchema).optional(),
});

/** A stored report. */
export const reportSchema = z.object({
  /** The public address. */
  address: z.string(),
  /** When the check started, in ms since 1970. */
  at: z.number(),
  /** Whether no step failed. */
  ok: z.boolean(),
  /** The result in one sentence. */
  summary: z.string(),
  findings: z.array(findingSchema),
});

/** The result of one step. */
export type Finding = z.infer<typeof findingSchema>;

/** The result of a check. Contains no secret. */
export type Report = z.infer<typeof reportSchema>;

/** Sums up findings in one sentence. */
function summaryOf(findings: readonly Finding[]): string {
  const failures = findings.filter(({ state }) => state === "failed");
  if (failures.length === 0) return text`Everything works.`;
  const titles = failures.map(({ title }) => title).join(", ");
  return text`${failures.length} of ${findings.length} checks failed: ${titles}.`;
}

/** A report in the reader's language; in English as far as it was made without. */
export function translatedReport(report: Report): Report {
  const { language } = reader;
  if (!language) return report;
  const findings = report.findings.map((finding) => ({
    ...finding,
    ...finding.translations?.[language.tag],
  }));
  return { ...report, findings, summary: summaryOf(findings) };
}

/** How long a check waits, and who follows it. */
export interface CheckOptions {
  /** Limit for each request or wait of a step, in milliseconds. Default: 5,000. */
  timeoutMs?: number;
  /** How long the WebSocket is left idle, in milliseconds. Default: 3,000. */
  idleMs?: number;
  /** Languages beside English in which findings are. Default: none. */
  languages?: readonly Language[];
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
  { timeoutMs = 5_000, idleMs = 3_000, languages = [], onFinding = () => {} }: CheckOptions = {},
): Promise<Report> {
  const at = Date.now();
  const context: CheckContext = { target, timeoutMs, idleMs };
  const findings: Finding[] = [];
  const failedSteps = new Map<string, Step>();
  try {
    for (const step of stepsOf(target)) {
      const finding = await findingOf(step, context, { failedSteps, languages });
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
    summary: inLanguage(undefined, () => summaryOf(findings)),
    findings,
  };
}

/** The steps of a check, in the order in which they run. */
export function stepsOf({ usesExternalServer }: Target): Step[] {
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
 * Runs a step, unless one that it needs failed, and says in each language what it found.
 *
 * @param failedSteps maps the name of each step that failed or was skipped to the step that has to be fixed first.
 */
async function findingOf(
  step: Step,
  context: CheckContext,
  { failedSteps, languages }: {
    failedSteps: Map<string, Step>;
    languages: readonly Language[];
  },
): Promise<Finding> {
  const { name, needs } = step;
  const start = performance.now();
  const cause = needs.map((need) => failedSteps.get(need)).find((each) => each !== undefined);
  const judge = cause ? () => skipped(text`Fix “${cause.title}” first.`) : await step.run(context);
  const milliseconds = Math.round(performance.now() - start);
  const inWords = () => ({ title: step.title, ...judge() });
  const { title, state, ...found } = inLanguage(undefined, inWords);
  const toFix = cause ?? (state === "failed" ? step : undefined);
  if (toFix) failedSteps.set(name, toFix);
  const translations = languages.map((language) => {
    const { state: _, ...words } = inLanguage(language, inWords);
    return [language.tag, words] as const;
  });
  return {
    step: name,
    title,
    state,
    ...found,
    milliseconds,
    ...translations.length > 0 && { translations: Object.fromEntries(translations) },
  };
}
