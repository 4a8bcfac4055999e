/** A fault that is put into the program, to see that a test notices. */
export interface Fault {
  /** What is wrong then: a phrase. */
  readonly what: string;
  /** The file that has the fault. */
  readonly file: string;
  /** Where the text that the fault replaces starts and ends. */
  readonly start: number;
  readonly end: number;
  readonly to: string;
  /** The test files that are expected to notice. */
  readonly tests: readonly string[];
}

/** The text of a file with a fault in it. */
export function withFault(text: string, { start, end, to }: Fault): string {
  return text.slice(0, start) + to + text.slice(end);
}

/** A fault and what became of it, for a reader. */
export function described(fault: Fault, text: string, verdict: string): string {
  const line = text.slice(0, fault.start).split("\n").length;
  const lines = (sign: string, part: string) => part.split("\n").map((each) => `  ${sign} ${each}`);
  return [
    `${verdict}: ${fault.what} (${fault.file}:${line})`,
    ...lines("-", text.slice(fault.start, fault.end)),
    ...lines("+", fault.to),
    `  ${fault.tests.join(" ")}`,
  ].join("\n");
}
