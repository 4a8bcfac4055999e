import { mutationsOf } from "../../mutation.ts";

const folder = "tests/config";

/** Settings and secrets, and what is said of faults in them. */
export const settings = mutationsOf({
  "config/config.ts": `${folder}/config_test.ts`,
  "config/env_file.ts": `${folder}/env_file_test.ts`,
  "config/secrets_file.ts": `${folder}/secrets_file_test.ts`,
  "config/secrets_in_database.ts": `${folder}/secrets_in_database_test.ts`,
  "config/kinds.ts": [
    `${folder}/config_test.ts`,
    `${folder}/app_list_test.ts`,
    `${folder}/web_address_test.ts`,
  ],
  "config/external_server.ts": `${folder}/external_server_test.ts`,
  "config/reverb.ts": `${folder}/reverb_test.ts`,
}, {
  "config/config.ts": [
    [
      "{ ...readEnvFile(path), ...environment }",
      "{ ...environment, ...readEnvFile(path) }",
      ".env wins over the environment",
      [`${folder}/env_file_test.ts`],
    ],
    ['secretNames.has(name) ? "(secret, not shown)" : ', "", "the log shows a secret"],
    [
      "environment[name]?.trim() || undefined",
      "environment[name]?.trim()",
      "an empty setting of Laravel's .env is refused",
    ],
    [
      "valueOf(environment, name) ?? valueOf(environment, formerly)",
      "valueOf(environment, name)",
      "settings by their former names are ignored",
    ],
    [
      'appUrl.pathname === "/" ? "" : appUrl.pathname',
      "appUrl.pathname",
      "addresses of an app without a path have two slashes",
      [`${folder}/web_address_test.ts`],
    ],
    [
      "config.tls !== undefined || config.appUrl",
      "config.appUrl",
      "cookies are not secure though the server has a certificate",
    ],
    [
      "  if (problems.length > 0) throw new ConfigError(problems);\n",
      "",
      "contradicting settings are accepted",
    ],
    ['tls ? "https" : "http"', '"http"', "the printed address is wrong with a certificate"],
    ["joinTimeoutMs: settings.JOIN_TIMEOUT_MS,", "", "JOIN_TIMEOUT_MS does nothing"],
    ["clientEvents: settings.CLIENT_EVENTS,", "", "CLIENT_EVENTS does nothing"],
    ["presenceMaxMembers: settings.PRESENCE_MAX_MEMBERS,", "", "PRESENCE_MAX_MEMBERS does nothing"],
    [
      "maxApiRequestsPerSecond: settings.API_REQUESTS_PER_SECOND,",
      "",
      "API_REQUESTS_PER_SECOND does nothing",
    ],
  ],
  "config/env_file.ts": [
    [
      "if (error instanceof Deno.errors.NotFound) return {};",
      "",
      "the server does not start without .env",
    ],
    ['.replace(/^\\uFEFF/, "")', "", "the first setting of a file from Windows is lost"],
    [
      "throw new ConfigError([`${path}: cannot",
      "return {}; throw new ConfigError([`${path}: cannot",
      "a file that cannot be read is ignored",
    ],
  ],
  "config/secrets_file.ts": [
    ["if (kept) return kept;", "", "each start writes into a data folder that is complete"],
    [
      "if (!(error instanceof Deno.errors.AlreadyExists)) throw error;",
      "throw error;",
      "two servers that start at once fail",
    ],
    ["mode: 0o700", "mode: 0o755", "other users of the machine list the data"],
  ],
  "config/secrets_in_database.ts": [
    [
      "await readSecretsFile(dataFolder) ?? newSecrets();",
      "newSecrets();",
      "moving to PostgreSQL signs all users out",
    ],
    [
      "    await store(transaction, secrets);\n    return secrets;",
      "    return secrets;",
      "each start makes new secrets",
    ],
  ],
  "config/kinds.ts": [
    [
      ".refine((value) => value >= low && value <= high, allowed);\n}\n",
      ";\n}\n",
      "numbers out of their range are accepted",
    ],
    [
      'value.toLowerCase().replace(/[^a-z0-9]/g, "")',
      "value",
      "a secret from public examples is accepted",
    ],
    ["formed(/^[^]{16,}$/", "formed(/^[^]{1,}$/", "a secret that can be guessed is accepted"],
    ["network !== null && network[1] > 0", "network !== null", "every peer is trusted as a proxy"],
    [
      '["true", "1", "yes", "on"].includes(value)',
      'value === "true"',
      "CLIENT_EVENTS=1 switches them off",
    ],
    [
      'url.username === "" && url.password === "" && url.hash === ""',
      'url.hash === ""',
      "a webhook's address has a password, which no request carries",
    ],
    ["text.length <= 2_048 &&", "", "a webhook's address has any length"],
    [
      'text === "*" || URL.parse(text)?.origin === text',
      "true",
      "an origin that no browser sends is accepted",
    ],
    ["!/[?#]/.test(value) &&", "", "APP_URL with a query is accepted"],
    [
      '!ownNames.includes(URL.parse(value)?.pathname.split("/")[1] ?? "")',
      "true",
      "APP_URL hides the server's own addresses",
    ],
    [
      'url.pathname = url.pathname.replace(/\\/$/, "");',
      "",
      "addresses of an app with a path have two slashes",
    ],
  ],
  "config/external_server.ts": [
    [
      "if (port === PORT && (isLoopback(host) || names.includes(host))) return true;",
      "",
      "Laravel's .env on the same machine names this server as another one",
    ],
    [
      "return host === APP_URL.hostname &&\n    port === (Number(APP_URL.port) || defaultPort(APP_URL.protocol));",
      "return host === APP_URL.hostname;",
      "another server on the same host is taken for this one",
    ],
    ["|| replacesReverb(settings)", "", "an app of Reverb sends pages to the hosted service"],
    ['cluster !== "self" &&', "", "PUSHER_APP_CLUSTER=self sends pages to the hosted service"],
    [
      "filter((name) => !settings[name])",
      "filter(() => false)",
      "another server without its key is accepted",
    ],
  ],
  "config/reverb.ts": [
    ["own === reverb", "true", "another key of Reverb is passed over"],
    ["!/[.:]/.test(host)", "false", "the name of a container is the public URL"],
    ["isLoopback(host) ? REVERB_PORT", "true ? REVERB_PORT", "a proxy's port is listened on"],
  ],
});
