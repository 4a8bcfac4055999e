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
    imports: ["shared", "realtime", "database", "channels.ts", "config", "online"],
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
  {
    name: "check",
    holds: "checks the public URL",
    imports: ["shared", "realtime", "config", "database"],
  },
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
    types: ["state.ts", "services.ts", "cluster"],
  },
  {
    name: "middleware",
    holds: "steps of every request",
    imports: [
      ...["shared", "network", "realtime", "database", "accounts", "observability"],
      ...["config", "audit", "wallboard", "check", "state.ts", "components", "http"],
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
    imports: ["shared", "network", "realtime", "database", "observability", "config"],
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
