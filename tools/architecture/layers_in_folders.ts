import type { Layer } from "./layers.ts";

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
