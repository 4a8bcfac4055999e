/**
 * The files that take longest, by the process that runs them, in order. One that began last would keep
 * the whole run waiting while the other cores do nothing. Tests of one kind share what they load.
 */
export const slowBatches = [
  ["tests/any_hour/unit_tests_test.ts"],
  ["tests/chaos/short_run_test.ts"],
  ["tests/docs/code_blocks_test.ts"],
  ["tests/conformance/protocol_test.ts"],
  ["tests/deploy/packaging/container_test.ts", "tests/deploy/packaging/executable_test.ts"],
  [
    "tests/e2e/chromium/failures_test.ts",
    "tests/e2e/chromium/counting_test.ts",
    "tests/e2e/chromium/prefix_test.ts",
  ],
  ["tests/e2e/other_browsers/firefox_test.ts", "tests/e2e/other_browsers/webkit_test.ts"],
  [
    "tests/e2e/chromium/accessibility_test.ts",
    "tests/e2e/chromium/screen_test.ts",
    "tests/e2e/chromium/wallboard_test.ts",
  ],
  [
    "tests/e2e/chromium/online_table_scrolling_test.ts",
    "tests/e2e/chromium/online_table_states_test.ts",
    "tests/e2e/chromium/online_table_test.ts",
    "tests/e2e/chromium/users_page_test.ts",
  ],
  [
    "tests/e2e/chromium/alert_test.ts",
    "tests/e2e/chromium/history_test.ts",
    "tests/e2e/chromium/activity_test.ts",
    "tests/e2e/chromium/disconnect_test.ts",
    "tests/e2e/chromium/messages_test.ts",
  ],
  ["tests/server/database/move_to_postgres_test.ts", "tests/server/database/upgrade_test.ts"],
  [
    "tests/server/accounts/sign_in_limit_test.ts",
    "tests/server/accounts/sign_in_test.ts",
    "tests/server/accounts/users_test.ts",
  ],
  ["tests/fuzz/kinds_test.ts"],
  ["tests/cli/data_test.ts", "tests/e2e/http/authorization/authorization_test.ts"],
];

/** How many other files a process runs, one after the other. */
const filesInBatch = 8;

function isWholeProgram(file: string): boolean {
  return file.startsWith("tests/e2e/");
}

/** The test files that each process runs, in the order in which these are started. */
export function batchesOf(files: readonly string[]): string[][] {
  const batches = slowBatches.map((batch) => batch.filter((file) => files.includes(file)));
  // Tests of whole programs first, as they take longer than others.
  const others = files.filter((file) => !batches.flat().includes(file))
    .toSorted((one, other) => Number(isWholeProgram(other)) - Number(isWholeProgram(one)));
  for (let start = 0; start < others.length; start += filesInBatch) {
    batches.push(others.slice(start, start + filesInBatch));
  }
  return batches.filter(({ length }) => length > 0);
}
