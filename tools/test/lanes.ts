import type { ImportGraph } from "./import_graph.ts";
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

/**
 * The tests that `deno task test:long` runs, by file or folder: faults, attacks, platforms, and what takes minutes of
 * CPU time or a program that nothing else needs. What they find beyond the other tests, a change seldom breaks.
 */
export const longTests: readonly string[] = [
  "tests/any_hour/",
  "tests/attacks/",
  "tests/server/apps/guides/programs_test.ts",
  "tests/conformance/several_servers_test.ts",
  "tests/server/database/move_to_postgres_test.ts",
  "tests/docs/code_blocks_test.ts",
  "tests/e2e/chromium/crowd_test.ts",
  "tests/e2e/chromium/external_server_test.ts",
  "tests/e2e/chromium/guides_test.ts",
  "tests/e2e/chromium/late_pages_test.ts",
  "tests/e2e/chromium/locale_test.ts",
  "tests/e2e/chromium/online_table_states_test.ts",
  "tests/e2e/chromium/online_table_without_script_test.ts",
  "tests/e2e/chromium/own_pages_test.ts",
  "tests/e2e/chromium/quiet_clients_test.ts",
  "tests/e2e/chromium/secure_test.ts",
  "tests/e2e/chromium/servers_test.ts",
  "tests/e2e/chromium/watching_admins_test.ts",
  "tests/e2e/chromium/workers_test.ts",
  "tests/e2e/cluster/",
  "tests/e2e/upgrade/shared_state_test.ts",
  "tests/e2e/http/exhausted_machine_test.ts",
  "tests/e2e/http/platforms_test.ts",
  "tests/e2e/http/two_servers_test.ts",
  "tests/e2e/http/workers_test.ts",
  "tests/e2e/other_browsers/",
  "tests/e2e/proxies/",
  "tests/deploy/packaging/",
  "tests/jsr/islands_test.ts",
  "tests/tools/bench/",
  "tests/packages/client/browser_test.ts",
  "tests/packages/laravel/laravel_test.ts",
  "tests/chaos/short_run_test.ts",
  "tests/fuzz/kinds_test.ts",
];

/** Whether only the long run has a test file. */
export function isLong(file: string): boolean {
  return longTests.some((path) => path.endsWith("/") ? file.startsWith(path) : file === path);
}

/** Whether the long run has a test file, alone or for some of its tests. */
export function isOfLongRun(file: string, graph: ImportGraph): boolean {
  return isLong(file) || [...graph.reachedFrom(file)].includes("tests/fixtures/long_run.ts");
}
