import type { Need } from "./needs.ts";

/** Tests that run in one process. */
export interface Lane {
  name: string;
  files: string[];
  /** Flags of `deno test`. */
  flags: string[];
  /** How many files run at a time. */
  jobs: number;
}

const cores = navigator.hardwareConcurrency;

/**
 * What a unit test may do: nothing with a network, a process, or a file that it does not make itself.
 * A test that does more reaches a module which the table of needs should have.
 */
export const unitFlags = [
  ...["--parallel", "--no-prompt", "--allow-read", "--allow-env", "--allow-sys"],
  `--allow-write=${Deno.env.get("TMPDIR") ?? "/tmp"}`,
];

/** The tests that need nothing, which take all cores. */
export function unitLane(needsByFile: ReadonlyMap<string, Need[]>): Lane {
  const files = [...needsByFile].filter(([, needs]) => needs.length === 0).map(([file]) => file);
  return { name: "unit tests", files, flags: unitFlags, jobs: cores };
}

/** The other tests, two files to a core: tests of servers and pages wait for half of their time. */
export function furtherLane(needsByFile: ReadonlyMap<string, Need[]>): Lane {
  const files = [...needsByFile].filter(([, needs]) => needs.length > 0).map(([file]) => file);
  return { name: "tests with servers", files, flags: ["-A"], jobs: 2 * cores };
}
