import type { Need } from "./needs.ts";

/** Tests that run one after the other in one process. */
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
const unitFlags = [
  ...["--parallel", "--no-prompt", "--allow-read", "--allow-env", "--allow-sys"],
  `--allow-write=${Deno.env.get("TMPDIR") ?? "/tmp"}`,
];

/** The tests that need nothing, which take all cores. */
export function unitLane(needsByFile: ReadonlyMap<string, Need[]>): Lane {
  const files = [...needsByFile].filter(([, needs]) => needs.length === 0).map(([file]) => file);
  return { name: "unit tests", files, flags: unitFlags };
}

/** The other tests, in lanes that run side by side: tests of servers and pages wait most of the time. */
export function furtherLanes(needsByFile: ReadonlyMap<string, Need[]>): Lane[] {
  const lanes: Lane[] = [
    { name: "tests in a browser", files: [], flags: ["-A"] },
    { name: "tests of the built app", files: [], flags: ["-A"] },
    { name: "tests of its parts", files: [], flags: ["-A"] },
  ];
  const [inBrowser, ofApp, ofParts] = lanes;
  for (const [file, needs] of needsByFile) {
    if (needs.length === 0) continue;
    const names = needs.map(({ name }) => name);
    const lane = names.includes("a browser")
      ? inBrowser
      : names.includes("the built app")
      ? ofApp
      : ofParts;
    lane.files.push(file);
  }
  return lanes;
}
