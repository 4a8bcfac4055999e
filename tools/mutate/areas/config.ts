import { mutationsOf } from "../mutation.ts";

const folder = "tests/config";

/** Settings, apps and secrets, and what is said of faults in them. */
export const config = mutationsOf({
  "config/app_list.ts": `${folder}/app_list_test.ts`,
  "config/app_fields.ts": `${folder}/app_list_test.ts`,
  "config/app_reload.ts": `${folder}/app_reload_test.ts`,
  "config/client_settings.ts": [
    `${folder}/client_settings_test.ts`,
    `${folder}/external_server_test.ts`,
  ],
  "config/config.ts": `${folder}/config_test.ts`,
  "config/env_file.ts": `${folder}/env_file_test.ts`,
  "config/secrets_file.ts": `${folder}/secrets_file_test.ts`,
  "config/secrets_in_database.ts": `${folder}/secrets_in_database_test.ts`,
  "config/served_apps.ts": `${folder}/served_apps_test.ts`,
  "config/kinds.ts": [
    `${folder}/config_test.ts`,
    `${folder}/app_list_test.ts`,
    `${folder}/web_address_test.ts`,
  ],
  "config/external_server.ts": `${folder}/external_server_test.ts`,
  "config/reverb.ts": `${folder}/reverb_test.ts`,
  "config/taken_app_fields.ts": [
    `${folder}/taken_app_fields_test.ts`,
    `${folder}/app_list_test.ts`,
  ],
}, {
  "config/app_list.ts": [
    ['if (isSecret) return "(secret, not shown)";', "", "the log shows an app's secret"],
    ["else if (items.length === 0 ||", "else if (", "an empty list serves no app"],
    ["|| items.length > maxApps) {", ") {", "a list of apps has no limit"],
    [
      "is not JSON at line ${place[1]}, column ${place[2]}",
      "${error}",
      "the log quotes the file with its secrets",
    ],
    [
      'for (const name of ["id", "key"] as const) {',
      'for (const name of ["id"] as const) {',
      "two apps have one key",
    ],
    ["faults.slice(0, maxFaults)", "faults", "a bad file fills the log"],
    ['"is not a known field"', '""', "a misspelled field is not named"],
    [
      'new Set<PropertyKey>(["secret", "url"])',
      'new Set<PropertyKey>(["secret"])',
      "the log shows a secret in a webhook's address",
    ],
  ],
  "config/app_fields.ts": [
    ["Math.round(value * 1_024)", "Math.round(value)", "limits in kilobytes are bytes"],
    ["clientEvents: fields.enable_client_messages,", "", "an app cannot switch client events on"],
    ["maxConnections: fields.max_connections,", "", "an app's limit of connections is not kept"],
    ["({ url, events })", "({ url })", "a webhook receives events that it did not ask for"],
    ["allowedOrigins: fields.allowed_origins,", "", "an app's allowed origins are not heeded"],
    ["enabled: fields.enabled,", "", "an app cannot be switched off"],
    ["joinTimeoutMs: fields.join_timeout_ms,", "", "an app has no join timeout of its own", [
      "tests/config/app_list_test.ts",
    ]],
    ["watchlist: fields.watchlist,", "", "an app cannot switch watchlists on"],
    ["Number.isInteger(value) &&", "", "half a connection is a limit"],
  ],
  "config/app_reload.ts": [
    ["      return;\n", "", "a bad list of apps is said to be loaded"],
    ["{ running: this.own }", "{}", "a reload takes away the app of the own pages"],
    ["    this.#options.replace(apps);\n", "", "a reload changes nothing"],
    [
      "for (const line of linesOf(error)) log",
      "for (const line of linesOf(error).slice(1)) log",
      "the log does not say what is wrong with the list",
    ],
  ],
  "config/client_settings.ts": [
    [
      "forceTLS: https || page.protocol",
      "forceTLS: page.protocol",
      "pages behind a proxy with https open sockets without TLS",
    ],
    [
      "if (pusher.cluster) return { forceTLS: secure };",
      "",
      "pages connect here though a hosted cluster is set",
    ],
    ["wsPort: port ?? 80", "wsPort: 80", "pages of a server on another port do not connect"],
    [
      "...(wsPath === undefined ? {} : { wsPath }),",
      "",
      "pages of an app with a path do not connect",
    ],
    [
      'scheme === "https" ? ["wss"] : ["ws", "wss"]',
      '["ws"]',
      "the content security policy blocks the other server",
    ],
    ['${port ? `:${port}` : ""}', "", "the content security policy blocks another server's port"],
    [
      "pusher.host !== undefined || pusher.cluster !== undefined",
      "pusher.host !== undefined",
      "the count is recorded here though pages connect to a hosted cluster",
    ],
  ],
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
      "moving to PostgreSQL signs everybody out",
    ],
    [
      "    await store(transaction, secrets);\n    return secrets;",
      "    return secrets;",
      "each start makes new secrets",
    ],
  ],
  "config/served_apps.ts": [
    ["...disagreements(config, listed),", "", "two secrets are given for one app"],
    ["...changes(own, running),", "", "a reload replaces the app of the own pages"],
    ["...clashes(config, own, others),", "", "two apps have one key"],
    ["if (own.enabled === false) {", "if (false) {", "the own pages' app is switched off"],
    [
      "config.pusher.appId ?? running?.id ?? first",
      "config.pusher.appId ?? first",
      "a reload of a list in another order replaces the own app",
    ],
    [
      "withDefaults(config.appRules, app));",
      "app);",
      "settings for all apps do not reach the apps of the list",
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
  "config/taken_app_fields.ts": [
    [
      "ignored.push(...namedIfSet(field.name, value))",
      "continue",
      "a limit is lost without a word",
    ],
    ["else if (fields.has(taken)) onDuplicate(taken);", "", "one of two limits counts, unsaid"],
    [
      '"lambda_function" in webhook && !("url" in own)',
      "false",
      "a list with a webhook for Lambda is refused",
    ],
  ],
});
