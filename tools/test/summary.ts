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
