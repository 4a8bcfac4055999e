import { mutationsOf } from "../../mutation.ts";

const folder = "tests/config";

/** Lists of apps, and what pages are told of theirs. */
export const apps = mutationsOf({
  "config/app_list.ts": `${folder}/app_list_test.ts`,
  "config/app_fields.ts": `${folder}/app_list_test.ts`,
  "config/app_reload.ts": `${folder}/app_reload_test.ts`,
  "config/client_settings.ts": [
    `${folder}/client_settings_test.ts`,
    `${folder}/external_server_test.ts`,
  ],
  "config/served_apps.ts": `${folder}/served_apps_test.ts`,
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
