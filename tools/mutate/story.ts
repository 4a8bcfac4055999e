import { join } from "node:path/posix";

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

/** A fault that once went unnoticed, or would do much harm, told by what a user would notice. */
export interface Story {
  /** What a user would notice: a phrase. */
  readonly what: string;
  /** The file that has the fault. */
  readonly file: string;
  /** The text that the fault replaces, which is in the file once. */
  readonly from: string;
  readonly to: string;
  /** The unit tests that are expected to notice. */
  readonly tests: readonly string[];
}

/** The stories beside the tests: all that `stories.ts` in a folder of tests exports, at any depth. */
export async function storiesOf(root: string): Promise<Story[]> {
  const stories: Story[] = [];
  for (const path of storyFiles(join(root, "tests"))) {
    stories.push(...(await import(`file://${path}`)).stories);
  }
  return stories;
}

function* storyFiles(folder: string): Generator<string> {
  for (const { isDirectory, name } of [...Deno.readDirSync(folder)].sort(byName)) {
    const path = join(folder, name);
    if (isDirectory) yield* storyFiles(path);
    else if (name === "stories.ts") yield path;
  }
}

/**
 * The fault of a story.
 *
 * @param text of the story's file.
 * @throws {Error} with the phrase, where the story does not fit the text.
 */
export function faultOf({ what, file, from, to, tests }: Story, text: string): Fault {
  const count = text.split(from).length - 1;
  if (count !== 1) {
    throw new Error(`“${what}”: ${file} has ${JSON.stringify(from)} ${count} times, not once`);
  }
  if (from === to) throw new Error(`“${what}”: ${JSON.stringify(from)} is replaced by itself`);
  const start = text.indexOf(from);
  return { what, file, start, end: start + from.length, to, tests };
}

function byName(one: Deno.DirEntry, other: Deno.DirEntry): number {
  return one.name < other.name ? -1 : 1;
}
