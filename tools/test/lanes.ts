import type { Need } from "./needs.ts";

/** Tests with the same permissions. */
export interface Lane {
  name: string;
  files: string[];
  /** Flags of `deno test`. */
  flags: string[];
}

/**
 * What a unit test may do: nothing with a network, a process, or a file that it does not make itself.
 * A test that does more reaches a module which the table of needs should have.
 */
export const unitFlags = [
  "--no-prompt",
  "--allow-read",
  "--allow-env",
  "--allow-sys",
  `--allow-write=${Deno.env.get("TMPDIR") ?? "/tmp"}`,
];

/** The tests that need nothing. */
export function unitLane(needsByFile: ReadonlyMap<string, Need[]>): Lane {
  const files = [...needsByFile].filter(([, needs]) => needs.length === 0).map(([file]) => file);
  return { name: "unit tests", files, flags: unitFlags };
}

/** The other tests. */
export function furtherLane(needsByFile: ReadonlyMap<string, Need[]>): Lane {
  const files = [...needsByFile].filter(([, needs]) => needs.length > 0).map(([file]) => file);
  return { name: "tests with servers", files, flags: ["-A"] };
}
