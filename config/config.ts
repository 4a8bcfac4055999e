import { z } from "zod";
import { type AppList, readAppList } from "./app_list_source.ts";
import { ConfigError } from "./config_error.ts";
import { denoDeployProblems } from "./deno_deploy.ts";
import { readEnvFile } from "./env_file.ts";
import { maxFileBytes, type ReadFile, readSettingFile } from "./setting_file.ts";
import {
  appId,
  appKey,
  appSecret,
  flag,
  hostName,
  integer,
  networks,
  origins,
  webAddress,
  webhookAddresses,
} from "./kinds.ts";
import { readTls, type Tls } from "./tls.ts";
import type { IpNetwork } from "../network/ip_address.ts";
import type { LogSettings } from "../observability/logging.ts";
import type { AppRules, Webhook } from "../realtime/app_config.ts";

export { ConfigError } from "./config_error.ts";

/** Every setting of an installation, validated and typed. Absent means: not given. */
export interface Config {
  /** The public address, as people type it. Its scheme decides whether cookies are `Secure`. */
  appUrl: URL;
  /** The path of that address, below which everything is: "" or such as `/rollcall`. */
  basePath: string;
  /** The interface to listen on. */
  host: string;
  port: number;
  /** What cookies and anti-forgery tokens are signed with, when not the generated one. */
  appKey?: string;
  pusher: PusherConfig;
  dataFolder: string;
  databaseUrl?: string;
  presenceGraceMs: number;
  /** The rules of every app that does not state its own; what is absent has its default. */
  appRules: Partial<AppRules>;
  /** Where the app of Rollcall's own pages sends webhooks, unless a list of apps says where. */
  webhooks?: Webhook[];
  /** Apps besides the one that `pusher` names, or that one among others. */
  appList?: AppList;
  /** Open connections of all apps, and of one remote address; absent: the default. */
  maxConnections?: number;
  maxConnectionsPerAddress?: number;
  /** Whether people without an account are counted too. */
  admitGuests: boolean;
  /** How long comings and goings are kept, in days; 0: for ever. */
  activityDays: number;
  /** How long a stop may take to spread the closing of sockets over, in milliseconds. */
  drainMs: number;
  tls?: Tls;
  /** The proxies whose `X-Forwarded-For` is believed. */
  trustedProxies: IpNetwork[];
  log: LogSettings;
  /** Who knows it may read the metrics; absent: nobody may. */
  metricsToken?: string;
}

/** The Pusher application that pages connect to, and this server plays when no other is named. */
export interface PusherConfig {
  appId?: string;
  key?: string;
  secret?: string;
  /** A hosted cluster such as `eu`; pages connect there unless `host` is set. */
  cluster?: string;
  /** Another server that speaks the protocol; pages connect there. */
  host?: string;
  port?: number;
  scheme: "http" | "https";
}

/** Settings whose value is never printed. */
const secretNames = new Set([
  "APP_KEY",
  "APPS",
  "DATABASE_URL",
  "METRICS_TOKEN",
  "PUSHER_APP_SECRET",
  "WEBHOOK_URL",
]);

const schema = z.object({
  APP_URL: webAddress.optional(),
  APP_KEY: z.string().min(32, "at least 32 characters").optional(),
  HOST: z.string().regex(/^[0-9A-Za-z.:-]+$/, "an address to listen on").default("0.0.0.0"),
  PORT: integer(0, 65535).default(8000),
  PUSHER_APP_ID: appId.optional(),
  PUSHER_APP_KEY: appKey.optional(),
  PUSHER_APP_SECRET: appSecret.optional(),
  PUSHER_APP_CLUSTER: z.string().regex(/^[a-z0-9-]{1,32}$/, "a cluster name such as eu").optional(),
  PUSHER_HOST: hostName.optional(),
  PUSHER_PORT: integer(1, 65535).optional(),
  PUSHER_SCHEME: z.enum(["http", "https"], "http or https").default("https"),
  DATA_DIR: z.string().default("data"),
  DATABASE_URL: z.string().refine(
    (value) => /^postgres(ql)?:$/.test(URL.parse(value)?.protocol ?? ""),
    "a postgres:// address",
  ).optional(),
  PRESENCE_GRACE_MS: integer(0, 600_000).default(1_500),
  PRESENCE_MAX_MEMBERS: integer(1, 1_000_000).optional(),
  ADMIT_GUESTS: flag.default(false),
  ALLOWED_ORIGINS: origins.optional(),
  JOIN_TIMEOUT_MS: integer(0, 3_600_000).optional(),
  CLIENT_EVENTS: flag.optional(),
  CLIENT_EVENTS_PER_SECOND: integer(0, 10_000).optional(),
  API_REQUESTS_PER_SECOND: integer(0, 1_000_000).optional(),
  SUBSCRIPTION_COUNT: flag.optional(),
  WATCHLIST: flag.optional(),
  WEBHOOK_URL: webhookAddresses.optional(),
  APPS: z.string().max(maxFileBytes, `at most ${maxFileBytes} characters`).optional(),
  APPS_FILE: z.string().optional(),
  MAX_CONNECTIONS: integer(1, 1_000_000).optional(),
  MAX_CONNECTIONS_PER_ADDRESS: integer(0, 1_000_000).optional(),
  ATTENDANCE_DAYS: integer(0, 3_650).default(30),
  DRAIN_MS: integer(0, 600_000).default(3_000),
  SINGLE_INSTANCE: flag.default(false),
  TLS_CERT_FILE: z.string().optional(),
  TLS_KEY_FILE: z.string().optional(),
  TRUSTED_PROXIES: networks.default([]),
  LOG_FORMAT: z.enum(["text", "json"], "text or json").default("text"),
  LOG_LEVEL: z.enum(["debug", "info", "warn", "error"], "debug, info, warn or error")
    .default("info"),
  METRICS_TOKEN: z.string().regex(/^[\w.~+/=-]{16,}$/, "at least 16 letters, digits or ._~+/=-")
    .optional(),
});

const settingNames = Object.keys(schema.shape);

/**
 * Reads the settings from environment variables. An empty value counts as not given, because
 * Laravel's `.env` lists names without values.
 *
 * @param readFile reads the files that settings name; throws when it cannot.
 * @throws {ConfigError} with one line for every bad value.
 */
export function parseConfig(
  environment: Record<string, string | undefined>,
  readFile: ReadFile = readSettingFile,
): Config {
  const given = Object.fromEntries(
    settingNames.map((name) => [name, environment[name]?.trim() || undefined]),
  );
  const parsed = schema.safeParse(given);
  if (!parsed.success) throw new ConfigError(lines(parsed.error, given));
  const problems = [
    ...foreignServerProblems(parsed.data),
    ...denoDeployProblems(parsed.data, environment),
  ];
  const tls = readTls(parsed.data, readFile, problems);
  const appList = readAppList(parsed.data, readFile, problems);
  if (problems.length > 0) throw new ConfigError(problems);
  return { ...toConfig(parsed.data, tls), appList };
}

type Given = Record<string, string | undefined>;

/** One line for each variable, though a value may have several faults. */
function lines(error: z.ZodError, given: Given): string[] {
  const faults = new Map(error.issues.toReversed().map((fault) => [String(fault.path[0]), fault]));
  return [...faults].reverse().map(([name, { message }]) => {
    const value = secretNames.has(name) ? "(secret, not shown)" : JSON.stringify(given[name]);
    return `${name}: ${value} is not allowed; expected ${message}`;
  });
}

/** A server that is not this one knows nothing of a generated key and secret. */
function foreignServerProblems(settings: Settings): string[] {
  if (!settings.PUSHER_HOST) return [];
  return (["PUSHER_APP_KEY", "PUSHER_APP_SECRET"] as const).filter((name) => !settings[name])
    .map((name) => `${name}: not given, but PUSHER_HOST is; expected that server's`);
}

type Settings = z.infer<typeof schema>;

function toConfig(settings: Settings, tls: Tls | undefined): Config {
  const appUrl = settings.APP_URL ??
    new URL(`${tls ? "https" : "http"}://localhost:${settings.PORT}`);
  return {
    appUrl,
    basePath: appUrl.pathname === "/" ? "" : appUrl.pathname,
    host: settings.HOST,
    port: settings.PORT,
    appKey: settings.APP_KEY,
    pusher: {
      appId: settings.PUSHER_APP_ID,
      key: settings.PUSHER_APP_KEY,
      secret: settings.PUSHER_APP_SECRET,
      // Laravel's default .env names a cluster and no key: that is nowhere to connect to.
      cluster: settings.PUSHER_APP_KEY && settings.PUSHER_APP_SECRET
        ? settings.PUSHER_APP_CLUSTER
        : undefined,
      host: settings.PUSHER_HOST,
      port: settings.PUSHER_PORT,
      scheme: settings.PUSHER_SCHEME,
    },
    dataFolder: settings.DATA_DIR,
    databaseUrl: settings.DATABASE_URL,
    presenceGraceMs: settings.PRESENCE_GRACE_MS,
    appRules: toAppRules(settings),
    webhooks: settings.WEBHOOK_URL,
    maxConnections: settings.MAX_CONNECTIONS,
    maxConnectionsPerAddress: settings.MAX_CONNECTIONS_PER_ADDRESS,
    admitGuests: settings.ADMIT_GUESTS,
    activityDays: settings.ATTENDANCE_DAYS,
    drainMs: settings.DRAIN_MS,
    tls,
    trustedProxies: settings.TRUSTED_PROXIES,
    log: { format: settings.LOG_FORMAT, level: settings.LOG_LEVEL },
    metricsToken: settings.METRICS_TOKEN,
  };
}

function toAppRules(settings: Settings): Partial<AppRules> {
  return {
    presenceMaxMembers: settings.PRESENCE_MAX_MEMBERS,
    allowedOrigins: settings.ALLOWED_ORIGINS,
    joinTimeoutMs: settings.JOIN_TIMEOUT_MS,
    clientEvents: settings.CLIENT_EVENTS,
    clientEventsPerSecond: settings.CLIENT_EVENTS_PER_SECOND,
    maxApiRequestsPerSecond: settings.API_REQUESTS_PER_SECOND,
    subscriptionCount: settings.SUBSCRIPTION_COUNT,
    watchlist: settings.WATCHLIST,
  };
}

/**
 * The settings of this process: its environment, and beneath it a file `.env` in the working folder.
 *
 * @throws {ConfigError} with one line for every bad value.
 */
export function readConfig(): Config {
  return parseConfig({ ...readEnvFile(".env"), ...Deno.env.toObject() });
}

/** Whether people reach the pages over https: by this server's own certificate, or by a proxy's. */
export function servesHttps(config: Config): boolean {
  return config.tls !== undefined || config.appUrl.protocol === "https:";
}
