/** A folder or a file, and what it may import. */
export interface Layer {
  name: string;
  /** What it is, for the documents: a few words. */
  holds: string;
  /** What it may import: layers before it. */
  imports: readonly string[];
  /** Of which layers before it it may import types, and nothing that runs. */
  types?: readonly string[];
}

/**
 * Who may import what, from the bottom up: a layer imports none that comes after it. The test of the
 * architecture holds the program to this table, which CONTRIBUTING shows.
 */
export const layers: readonly Layer[] = [
  { name: "shared", holds: "known to server and browser", imports: [] },
  { name: "network", holds: "client addresses, rate limits", imports: [] },
  { name: "realtime", holds: "the Pusher protocol server", imports: [] },
  { name: "database", holds: "SQLite and PostgreSQL", imports: [], types: ["realtime"] },
  {
    name: "accounts",
    holds: "users, sessions, guests",
    imports: ["shared", "network", "realtime"],
    types: ["database"],
  },
  { name: "broadcasting.ts", holds: "sends events to pages", imports: ["realtime"] },
  { name: "channels.ts", holds: "who may join what", imports: [] },
  {
    name: "observability",
    holds: "log, metrics, traces",
    imports: ["shared", "network"],
    types: ["realtime", "database", "accounts"],
  },
  {
    name: "audit",
    holds: "what admins did",
    imports: ["realtime", "database", "observability"],
    types: ["shared"],
  },
  {
    name: "config",
    holds: "settings, apps, secrets",
    imports: ["shared", "network", "realtime", "database"],
  },
  {
    name: "online",
    holds: "who is and was online",
    imports: ["shared", "network", "realtime", "database", "channels.ts"],
    types: ["accounts", "broadcasting.ts"],
  },
  {
    name: "apps",
    holds: "apps, and how they are connected",
    imports: ["shared", "realtime", "channels.ts", "config", "online"],
    types: ["database"],
  },
  {
    name: "inspector",
    holds: "channels and their events",
    imports: ["shared", "realtime", "channels.ts", "online"],
    types: ["broadcasting.ts"],
  },
  {
    name: "wallboard",
    holds: "links that show the count",
    imports: ["shared", "network", "realtime", "accounts", "channels.ts"],
    types: ["database", "broadcasting.ts", "online"],
  },
  {
    name: "embed",
    holds: "the count for other sites",
    imports: ["shared", "network", "realtime", "accounts"],
    types: ["database"],
  },
  {
    name: "cluster",
    holds: "several servers over Redis",
    imports: ["realtime"],
    types: ["shared"],
  },
  { name: "check", holds: "checks the public URL", imports: ["realtime", "config"] },
  {
    name: "services",
    holds: "what starts parts of it",
    imports: [
      ...["shared", "realtime", "database", "accounts", "broadcasting.ts", "channels.ts"],
      ...["cluster", "observability", "config", "online", "inspector", "wallboard", "embed"],
    ],
    types: ["apps"],
  },
  {
    name: "services.ts",
    holds: "starts and connects the parts",
    imports: [
      ...["network", "realtime", "database", "accounts", "channels.ts", "observability"],
      ...["audit", "config", "online", "apps", "check", "services"],
    ],
    types: ["broadcasting.ts", "cluster", "inspector", "wallboard", "embed"],
  },
  {
    name: "state.ts",
    holds: "what a request carries",
    imports: [],
    types: ["accounts", "channels.ts", "services.ts"],
  },
  {
    name: "people",
    holds: "what admins do to people",
    imports: ["shared", "realtime", "accounts", "channels.ts", "audit", "config", "online"],
    types: ["state.ts"],
  },
  { name: "browser", holds: "what pages do in the browser", imports: ["shared"] },
  {
    name: "components",
    holds: "markup",
    imports: ["shared", "browser"],
    types: ["accounts", "audit", "online", "apps", "wallboard", "embed", "check", "people"],
  },
  { name: "islands", holds: "markup with behavior", imports: ["shared", "browser", "components"] },
  {
    name: "http",
    holds: "what routes share",
    imports: [
      ...["shared", "network", "realtime", "accounts", "channels.ts", "audit", "config"],
      ...["online", "apps", "embed", "inspector", "people", "components"],
    ],
    types: ["state.ts"],
  },
  {
    name: "middleware",
    holds: "steps of every request",
    imports: [
      ...["shared", "network", "realtime", "database", "accounts", "observability"],
      ...["config", "wallboard", "check", "state.ts", "components", "http"],
    ],
    types: ["services.ts"],
  },
  {
    name: "routes",
    holds: "one file per URL",
    imports: [
      ...["shared", "realtime", "accounts", "channels.ts", "observability", "audit"],
      ...["config", "online", "inspector", "wallboard", "embed", "state.ts", "people"],
      ...["components", "islands", "http", "middleware"],
    ],
    types: ["apps"],
  },
  {
    name: "process",
    holds: "start, signals, stop",
    imports: ["shared", "realtime", "database", "observability", "config"],
    types: ["services.ts"],
  },
  {
    name: "main.ts",
    holds: "a request's steps, in order",
    imports: [
      ...["shared", "network", "observability", "services.ts", "state.ts", "http"],
      ...["middleware", "process"],
    ],
    types: ["config"],
  },
  { name: "serve.ts", holds: "serves the built app", imports: ["process", "main.ts"] },
  {
    name: "build",
    holds: "what the build of the pages needs",
    imports: ["http"],
  },
  {
    name: "dev.ts",
    holds: "builds and serves the pages",
    imports: ["process", "main.ts", "build"],
    types: ["config"],
  },
  { name: "start.ts", holds: "restarts dev.ts on change", imports: ["process", "build"] },
  {
    name: "cli",
    holds: "the command line",
    imports: [
      ...["shared", "database", "accounts", "observability", "audit", "config", "check"],
      ...["process", "serve.ts"],
    ],
  },
];

/** Who may import what inside `realtime/`, from the bottom up. */
export const realtimeLayers: readonly Layer[] = [
  { name: "timing", holds: "clock, deadlines, rates", imports: [] },
  { name: "defaults.ts", holds: "fills in defaults", imports: [] },
  { name: "limits.ts", holds: "limits of the whole server", imports: [], types: ["timing"] },
  { name: "app_config.ts", holds: "an app's rules and limits", imports: ["defaults.ts"] },
  { name: "protocol", holds: "frames, codes, signatures", imports: [] },
  {
    name: "events",
    holds: "what other code is notified of",
    imports: [],
    types: ["app_config.ts", "protocol"],
  },
  {
    name: "brokers",
    holds: "the seam to other servers",
    imports: ["timing", "protocol"],
    types: ["events"],
  },
  {
    name: "options.ts",
    holds: "options of the server",
    imports: ["timing", "defaults.ts", "limits.ts"],
    types: ["app_config.ts", "brokers"],
  },
  {
    name: "connections",
    holds: "one socket each",
    imports: ["protocol", "events"],
    types: ["timing"],
  },
  {
    name: "channels",
    holds: "subscribers and members",
    imports: ["timing", "protocol", "events", "connections"],
    types: ["limits.ts", "app_config.ts", "options.ts", "brokers"],
  },
  {
    name: "users",
    holds: "signed-in users, watchlists",
    imports: ["protocol", "channels"],
    types: ["events", "brokers", "options.ts", "connections"],
  },
  {
    name: "other_servers.ts",
    holds: "what apps ask of other servers",
    imports: [],
    types: ["connections", "channels"],
  },
  {
    name: "app_presence.ts",
    holds: "who is in an app's channels",
    imports: ["channels"],
    types: ["options.ts", "connections"],
  },
  {
    name: "app_listeners.ts",
    holds: "listeners to an app's channels",
    imports: ["events"],
    types: ["channels"],
  },
  {
    name: "app_connections.ts",
    holds: "an app's open connections",
    imports: ["protocol", "events", "connections"],
    types: ["channels", "users"],
  },
  {
    name: "app_admission.ts",
    holds: "which connections an app admits",
    imports: ["timing", "protocol", "connections"],
    types: ["app_config.ts", "brokers"],
  },
  {
    name: "app.ts",
    holds: "one app at work",
    imports: [
      ...["timing", "app_config.ts", "protocol", "events", "brokers", "connections"],
      ...["channels", "other_servers.ts", "users", "app_presence.ts", "app_listeners.ts"],
      ...["app_connections.ts", "app_admission.ts"],
    ],
    types: ["options.ts"],
  },
  {
    name: "app_on_all_servers.ts",
    holds: "one app on all servers",
    imports: ["protocol"],
    types: ["connections", "channels", "other_servers.ts", "app.ts"],
  },
  {
    name: "admission.ts",
    holds: "who may open a socket",
    imports: ["protocol"],
    types: ["events", "connections", "app.ts"],
  },
  {
    name: "commands",
    holds: "what clients may send",
    imports: ["timing", "app_config.ts", "protocol"],
    types: ["limits.ts", "events", "connections", "channels", "app.ts"],
  },
  {
    name: "api",
    holds: "Pusher's HTTP API",
    imports: [
      ...["app_config.ts", "protocol", "events", "brokers", "other_servers.ts"],
    ],
    types: ["timing", "options.ts", "connections", "app.ts"],
  },
  {
    name: "webhooks",
    holds: "what your app's servers receive",
    imports: ["timing", "defaults.ts", "app_config.ts", "protocol"],
    types: ["options.ts", "events"],
  },
  {
    name: "apps.ts",
    holds: "the apps that are served",
    imports: ["app.ts"],
    types: ["app_config.ts"],
  },
  {
    name: "sockets.ts",
    holds: "opens and closes sockets",
    imports: ["timing", "protocol", "events", "connections", "admission.ts", "commands"],
    types: ["options.ts", "app.ts"],
  },
  {
    name: "server.ts",
    holds: "the server",
    imports: [
      ...["options.ts", "events", "connections", "other_servers.ts", "app.ts"],
      ...["app_on_all_servers.ts", "api", "apps.ts", "sockets.ts"],
    ],
    types: ["app_config.ts", "channels"],
  },
];

/** Who may import what inside `cluster/`, from the bottom up. */
export const clusterLayers: readonly Layer[] = [
  { name: "messages", holds: "what servers send about rooms", imports: [] },
  { name: "redis", holds: "connections to Redis", imports: [] },
  {
    name: "state",
    holds: "the data in Redis, and its scripts",
    imports: [],
    types: ["redis"],
  },
  {
    name: "node",
    holds: "this server: lease, users, rooms",
    imports: ["messages", "state"],
    types: ["redis"],
  },
  {
    name: "leader",
    holds: "the lead, and the log",
    imports: ["messages", "state"],
    types: ["redis"],
  },
  {
    name: "bus",
    holds: "questions and orders",
    imports: ["messages"],
    types: ["redis"],
  },
  {
    name: "known_servers.ts",
    holds: "the servers, for pages",
    imports: ["messages"],
    types: ["state", "node"],
  },
  {
    name: "cluster.ts",
    holds: "connects and starts the parts",
    imports: ["messages", "redis", "state", "node", "leader", "bus", "known_servers.ts"],
  },
];

/** Who may import what inside `browser/`, from the bottom up. */
export const browserLayers: readonly Layer[] = [
  { name: "timing", holds: "frames, intervals", imports: [] },
  { name: "format", holds: "names, numbers, times", imports: ["timing"] },
  { name: "page", holds: "forms, dialogs, markup", imports: ["format"] },
  { name: "connection", holds: "Echo, headers, stores", imports: ["timing"] },
  {
    name: "every_page.ts",
    holds: "what all scripts share",
    imports: ["timing", "format", "connection"],
  },
  {
    name: "presence",
    holds: "the live number and its chart",
    imports: ["timing", "connection", "every_page.ts"],
  },
  { name: "messages", holds: "messages to people", imports: ["connection", "every_page.ts"] },
  {
    name: "online",
    holds: "the table, ticker, health",
    imports: ["format", "timing", "connection", "every_page.ts", "presence"],
  },
  {
    name: "history",
    holds: "the line of the past",
    imports: ["format", "every_page.ts", "presence"],
  },
  {
    name: "wallboard",
    holds: "the full-screen count",
    imports: ["timing", "connection", "every_page.ts"],
  },
  { name: "connect", holds: "how an app's clients fare", imports: [] },
  {
    name: "channels",
    holds: "channels and their events",
    imports: ["connection", "presence"],
  },
];
