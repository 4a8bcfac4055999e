import type { Outcome } from "./deno_runs.ts";

/** With more failed runs than this, a change broke something, and a second run would say nothing new. */
const mostSecondRuns = 6;

/**
 * Runs each failed run once more, alone, after all others. Tests of processes, sockets and pages share a
 * machine with many others: a fault of the program fails again, and what a busy machine disturbed passes.
 * The second result counts. What failed at first is printed, so that it is never unseen.
 *
 * @param runAlone runs the same arguments; called for one failed run at a time.
 */
export async function withSecondRuns(
  outcomes: readonly Outcome[],
  runAlone: (args: readonly string[]) => Promise<Outcome>,
  print: (line: string) => void = console.log,
): Promise<Outcome[]> {
  const failed = outcomes.filter(({ success }) => !success);
  if (failed.length === 0 || failed.length > mostSecondRuns) return [...outcomes];
  const last = outcomes.filter(({ success }) => success);
  for (const { args } of failed) {
    const files = args.filter((arg) => arg.startsWith("tests/")).join(" ");
    print(`\nFailed, and is run once more, alone: ${files}`);
    const second = await runAlone(args);
    print(`${second.success ? "Passed alone" : "Failed again"}: ${files}`);
    last.push(second);
  }
  return last;
}

/**
 * Adds up the tests and steps of several runs, from their closing lines: the line of `deno test`, or the one
 * that this function makes. A run without such a line counts as one failure.
 */
export function summaryOf(outputs: readonly string[]): string {
  const closings = outputs.map((output) =>
    output.split("\n").findLast((line) => closing.test(line)) ?? "FAILED | 1 failed"
  );
  const count = (word: string) => {
    const matches = closings.flatMap((line) =>
      line.match(new RegExp(`(\\d+) (?:${word})(?: \\((\\d+) steps?\\))?`))?.slice(1) ?? []
    );
    return matches.reduce((sum, digits) => sum + Number(digits ?? 0), 0);
  };
  return `${count("passed")} passed, ${count("failed")} failed, ${
    count("ignored|skipped")
  } skipped`;
}

const closing = /^(ok|FAILED) \| |^\d+ passed, \d+ failed, \d+ skipped$/;
