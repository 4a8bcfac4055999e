/**
 * The tests that `deno task test:long` runs, by file or folder: each takes minutes of CPU time, or a program
 * that nothing else needs. What they find beyond the other tests, a change seldom breaks.
 */
export const longTests: readonly string[] = [
  "tests/any_hour/",
  "tests/server/apps/guides/programs_test.ts",
  "tests/conformance/several_servers_test.ts",
  "tests/server/database/move_to_postgres_test.ts",
  "tests/docs/code_blocks_test.ts",
  "tests/e2e/chromium/crowd_test.ts",
  "tests/e2e/chromium/guides_test.ts",
  "tests/e2e/other_browsers/",
  "tests/e2e/proxies/",
  "tests/deploy/packaging/",
  "tests/chaos/short_run_test.ts",
  "tests/fuzz/kinds_test.ts",
];

/** Whether a test file belongs to the long run. */
export function isLong(file: string): boolean {
  return longTests.some((path) => path.endsWith("/") ? file.startsWith(path) : file === path);
}
