import { z } from "zod";
import type { StepState } from "./verdict.ts";

const states = ["ok", "failed", "skipped"] as const satisfies readonly StepState[];

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
export function summaryOf(findings: readonly Finding[]): string {
  const failures = findings.filter(({ state }) => state === "failed");
  if (failures.length === 0) return "Everything works.";
  const titles = failures.map(({ title }) => title).join(", ");
  return `${failures.length} of ${findings.length} checks failed: ${titles}.`;
}
