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

/**
 * The other tests, in lanes that run side by side, as tests of servers and pages wait most of the time.
 * One lane has the pages in Chromium, so that no two browsers share the machine for long.
 */
export function furtherLanes(needsByFile: ReadonlyMap<string, Need[]>): Lane[] {
  const pages: Lane = { name: "pages in Chromium", files: [], flags: ["-A"] };
  const app: Lane = { name: "tests of the built app", files: [], flags: ["-A"] };
  const parts: Lane = { name: "tests of its parts", files: [], flags: ["-A"] };
  for (const [file, needs] of needsByFile) {
    if (needs.length === 0) continue;
    const isOfApp = needs.some(({ built, name }) => built || name === "a browser");
    const lane = file.startsWith("tests/e2e/chromium/") ? pages : isOfApp ? app : parts;
    lane.files.push(file);
  }
  return [pages, app, parts];
}
