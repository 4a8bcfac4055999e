import type { Story } from "../../tools/mutate/story.ts";

/** What users would notice of faults, and the tests that notice them first. */
export const stories: readonly Story[] = [
  {
    what: ".env wins over the environment",
    file: "config/config.ts",
    from: "{ ...readEnvFile(path), ...environment }",
    to: "{ ...environment, ...readEnvFile(path) }",
    tests: ["tests/config/env_file_test.ts"],
  },
  {
    what: "a secret that can be guessed is accepted",
    file: "config/kinds.ts",
    from: "formed(/^[^]{16,}$/",
    to: "formed(/^[^]{1,}$/",
    tests: [
      "tests/config/config_test.ts",
      "tests/config/app_list_test.ts",
      "tests/config/web_address_test.ts",
    ],
  },
  {
    what: "CLIENT_EVENTS=1 switches them off",
    file: "config/kinds.ts",
    from: '["true", "1", "yes", "on"].includes(value)',
    to: 'value === "true"',
    tests: [
      "tests/config/config_test.ts",
      "tests/config/app_list_test.ts",
      "tests/config/web_address_test.ts",
    ],
  },
  {
    what: "a webhook's address has any length",
    file: "config/kinds.ts",
    from: "text.length <= 2_048 &&",
    to: "",
    tests: [
      "tests/config/config_test.ts",
      "tests/config/app_list_test.ts",
      "tests/config/web_address_test.ts",
    ],
  },
  {
    what: "cookies are not secure though the server has a certificate",
    file: "config/config.ts",
    from: "config.tls !== undefined || config.appUrl",
    to: "config.appUrl",
    tests: ["tests/config/config_test.ts"],
  },
  {
    what: "pages of an app with a path do not connect",
    file: "config/client_settings.ts",
    from: "...(wsPath === undefined ? {} : { wsPath }),",
    to: "",
    tests: ["tests/config/client_settings_test.ts", "tests/config/external_server_test.ts"],
  },
  {
    what: "the content security policy blocks another server's port",
    file: "config/client_settings.ts",
    from: '${port ? `:${port}` : ""}',
    to: "",
    tests: ["tests/config/client_settings_test.ts", "tests/config/external_server_test.ts"],
  },
  {
    what: "the log shows a secret",
    file: "config/config.ts",
    from: 'secretNames.has(name) ? "(secret, not shown)" : ',
    to: "",
    tests: ["tests/config/config_test.ts"],
  },
];
