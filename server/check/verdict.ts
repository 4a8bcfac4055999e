/** How a step ended. */
export type Verdict =
  | { state: "ok"; found: string }
  | { state: "failed"; found: string; change: string }
  | { state: "skipped"; found: string };

/** The ways in which a step can end; also printed by the command line. */
export type StepState = Verdict["state"];

/** The step passed; `found` is a sentence with the details. */
export function ok(found: string): Verdict {
  return { state: "ok", found };
}

/**
 * The step failed.
 *
 * @param found a sentence that says what was observed.
 * @param change how to fix it, as lines; what is typed literally is in backticks.
 */
export function failed(found: string, ...change: string[]): Verdict {
  return { state: "failed", found, change: change.join("\n") };
}

/** The step does not apply, for a reason that is no fault. */
export function skipped(found: string): Verdict {
  return { state: "skipped", found };
}
