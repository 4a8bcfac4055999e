import type { StepState } from "./verdict.ts";

/** The result of one step. */
export interface Finding {
  /** The step's name. */
  step: string;
  title: string;
  state: StepState;
  /** A sentence: what was found, or why the step was skipped. */
  found: string;
  /** How to fix it, one sentence or more per line. Only of a step that failed. */
  change?: string;
  milliseconds: number;
}

/** The result of a check. Contains no secret. */
export interface Report {
  /** The public address. */
  address: string;
  /** When the check started, in ms since 1970. */
  at: number;
  /** Whether no step failed. */
  ok: boolean;
  /** The result in one sentence. */
  summary: string;
  findings: Finding[];
}

/** Sums up findings in one sentence. */
export function summaryOf(findings: readonly Finding[]): string {
  const failures = findings.filter(({ state }) => state === "failed");
  if (failures.length === 0) return "Everything works.";
  const titles = failures.map(({ title }) => title).join(", ");
  return `${failures.length} of ${findings.length} checks failed: ${titles}.`;
}
