import { join } from "node:path/posix";
import type { Fault } from "./fault.ts";

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
