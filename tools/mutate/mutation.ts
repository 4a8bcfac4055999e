/** A fault that is put into the program to see that a test notices. */
export interface Mutation {
  /** The file that it changes. */
  readonly file: string;
  /** The text that it replaces, which is in the file once. */
  readonly from: string;
  readonly to: string;
  /** The test files that are expected to notice. */
  readonly tests: readonly string[];
  /** What users would notice: a phrase. */
  readonly what: string;
}

/** An area's mutations, by file. */
export type MutationsByFile = Readonly<Record<string, readonly FileMutation[]>>;

/** What to replace, by what, and what users would notice; `tests` only where the file's do not do. */
type FileMutation = readonly [from: string, to: string, what: string, tests?: readonly string[]];

/**
 * Makes an area's list.
 *
 * @param tests the tests of each file, those that a mutation names itself excepted.
 */
export function mutationsOf(
  tests: Readonly<Record<string, string | readonly string[]>>,
  byFile: MutationsByFile,
): Mutation[] {
  return Object.entries(byFile).flatMap(([file, mutations]) =>
    mutations.map(([from, to, what, own]) => ({
      file,
      from,
      to,
      what,
      tests: own ?? [tests[file] ?? []].flat(),
    }))
  );
}

/** The text of a file with a mutation in it. @throws {Error} when the mutation does not fit the text */
export function mutated(text: string, { file, from, to }: Mutation): string {
  const count = text.split(from).length - 1;
  if (count !== 1) throw new Error(`${file} has ${JSON.stringify(from)} ${count} times, not once`);
  if (from === to) throw new Error(`${file}: ${JSON.stringify(from)} is replaced by itself`);
  return text.replace(from, () => to);
}
