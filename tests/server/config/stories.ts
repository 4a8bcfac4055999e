import type { Story } from "@/tools/mutate/story.ts";

/** What users would notice of faults, and the tests that notice them first. */
export const stories: readonly Story[] = [
  {
    what: ".env wins over the environment",
    file: "server/config/config.ts",
    from: "{ ...readEnvFile(path), ...environment }",
    to: "{ ...environment, ...readEnvFile(path) }",
    tests: ["tests/server/config/setting_files_test.ts"],
  },
  {
    what: "a secret that can be guessed is accepted",
    file: "server/config/schemas.ts",
    from: "formed(/^[^]{16,}$/",
    to: "formed(/^[^]{1,}$/",
    tests: [
      "tests/server/config/config_test.ts",
      "tests/server/config/app_list_test.ts",
      "tests/server/config/setting_files_test.ts",
    ],
  },
  {
    what: "CLIENT_EVENTS=1 switches them off",
    file: "server/config/schemas.ts",
    from: '["true", "1", "yes", "on"].includes(value)',
    to: 'value === "true"',
    tests: [
      "tests/server/config/config_test.ts",
      "tests/server/config/app_list_test.ts",
      "tests/server/config/setting_files_test.ts",
    ],
  },
  {
    what: "a webhook's address has any length",
    file: "server/config/schemas.ts",
    from: "text.length <= 2_048 &&",
    to: "",
    tests: [
      "tests/server/config/config_test.ts",
      "tests/server/config/app_list_test.ts",
      "tests/server/config/setting_files_test.ts",
    ],
  },
  {
    what: "cookies are not secure though the server has a certificate",
    file: "server/config/config.ts",
    from: "config.tls !== undefined || config.appUrl",
    to: "config.appUrl",
    tests: ["tests/server/config/config_test.ts"],
  },
  {
    what: "pages of an app with a path do not connect",
    file: "server/config/client_options.ts",
    from: "...(wsPath === undefined ? {} : { wsPath }),",
    to: "",
    tests: [
      "tests/server/config/client_options_test.ts",
      "tests/server/config/compatibility_test.ts",
    ],
  },
  {
    what: "the content security policy blocks another server's port",
    file: "server/config/client_options.ts",
    from: '${port ? `:${port}` : ""}',
    to: "",
    tests: [
      "tests/server/config/client_options_test.ts",
      "tests/server/config/compatibility_test.ts",
    ],
  },
  {
    what: "the log shows a secret",
    file: "server/config/config.ts",
    from: 'secretNames.has(name) ? "(secret, not shown)" : ',
    to: "",
    tests: ["tests/server/config/config_test.ts"],
  },
];
