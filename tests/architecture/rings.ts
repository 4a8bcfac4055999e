/** The rings, from the ground up: a file imports from its own ring and from those before it. */
export const rings: readonly string[] = [
  "shared",
  "realtime",
  "server",
  "components",
  "islands",
  "http",
  "routes",
  "deploy",
  "main.ts",
  "dev.ts",
  "cli",
];

/**
 * The folder of what runs elsewhere: it imports nothing from the program, and the program takes only texts
 * from it, which it shows.
 */
export const elsewhere = "packages";

/** Pairs of rings of which the first takes nothing but types from the second. */
export const typesOnly: readonly (readonly [string, string])[] = [
  ["components", "server"],
  ["islands", "server"],
  ["realtime", "shared"],
];

/** The parts of two rings, in the same order. */
export const within: Record<string, readonly string[]> = {
  realtime: [
    "timing",
    "app_config.ts",
    "protocol",
    "events",
    "brokers",
    "options.ts",
    "connections",
    "channels",
    "users",
    "other_servers.ts",
    "app_presence.ts",
    "app_connections.ts",
    "app.ts",
    "app_on_all_servers.ts",
    "admission.ts",
    "commands",
    "api",
    "webhooks",
    "sockets.ts",
    "server.ts",
    "cluster",
  ],
  server: [
    "language",
    "database",
    "net",
    "accounts",
    "config",
    "check",
    "observability",
    "mail",
    "presence",
    "core.ts",
    "oidc",
    "embed",
    "site",
    "activity",
    "history",
    "alert",
    "apps",
    "audit",
    "wallboard",
    "live_view",
    "recording",
    "api",
    "channels",
    "privacy",
    "links",
    "other_servers.ts",
    "services.ts",
    "people",
    "demo",
    "process",
  ],
};

/** The ring of a file. */
export function ringOf(file: string): string {
  return file.split("/")[0];
}
