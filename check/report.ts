import type { StepState } from "./verdict.ts";

/** What came of one step. */
export interface Finding {
  step: string;
  title: string;
  state: StepState;
  /** A sentence that says what was found, or why it was not tried. */
  found: string;
  /** What to change; lines of whole sentences. Only of a step that failed. */
  change?: string;
  milliseconds: number;
}

/** What came of a test. Nothing in it is secret. */
export interface Report {
  /** The public address. */
  address: string;
  /** When it began, in ms since 1970. */
  at: number;
  ok: boolean;
  /** All of it in a sentence. */
  summary: string;
  findings: Finding[];
}

/** What findings come to, in a sentence. */
export function summaryOf(findings: readonly Finding[]): string {
  const failures = findings.filter(({ state }) => state === "failed");
  if (failures.length === 0) return "The public address works, there and back.";
  const titles = failures.map(({ title }) => title).join(", ");
  return `${failures.length} of ${findings.length} steps failed: ${titles}.`;
}
