/** What came of a step. */
export type Verdict =
  | { state: "ok"; found: string }
  | { state: "failed"; found: string; change: string }
  | { state: "not tried"; found: string };

/** How it can end; also the words that people read. */
export type StepState = Verdict["state"];

/** The step is passed; `found` is a sentence that says how. */
export function ok(found: string): Verdict {
  return { state: "ok", found };
}

/**
 * The step is where it fails.
 *
 * @param found what was seen, in a sentence.
 * @param change what to do about it, in lines for people; what is to be typed stands in backticks.
 */
export function failed(found: string, ...change: string[]): Verdict {
  return { state: "failed", found, change: change.join("\n") };
}

/** There was nothing to try, for a reason that is no fault. */
export function notTried(found: string): Verdict {
  return { state: "not tried", found };
}
