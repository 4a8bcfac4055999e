/** Page tests that run on one server only, by file, and why. */
export const ofOneServer: Readonly<Record<string, string>> = {
  "tests/e2e/chromium/external_server_test.ts": "pages of one installation connect to another",
  "tests/e2e/chromium/large_channel_test.ts": "its crowd is in the process of the server",
  "tests/e2e/chromium/own_pages_test.ts": "it writes a page of its own into the program",
  "tests/e2e/chromium/secure_test.ts":
    "it serves https itself, and the proxy before two servers http",
  "tests/e2e/chromium/servers_test.ts": "its servers are fakes, or it starts two itself",
  "tests/e2e/chromium/workers_test.ts": "it starts workers itself",
  "tests/e2e/chromium/weight_test.ts": "files weigh the same from any server",
};
