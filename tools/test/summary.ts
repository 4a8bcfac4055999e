/**
 * Adds up the tests and steps of several runs of `deno test`, from their closing lines. A run without
 * such a line counts as one failure.
 */
export function summaryOf(outputs: readonly string[]): string {
  const closings = outputs.map((output) =>
    output.split("\n").findLast((line) => /^(ok|FAILED) \| /.test(line)) ?? "FAILED | 1 failed"
  );
  const count = (word: string) => {
    const matches = closings.flatMap((line) =>
      line.match(new RegExp(`(\\d+) ${word}(?: \\((\\d+) steps?\\))?`))?.slice(1) ?? []
    );
    return matches.reduce((sum, digits) => sum + Number(digits ?? 0), 0);
  };
  return `${count("passed")} passed, ${count("failed")} failed, ${count("ignored")} skipped`;
}
