import { parseEnv } from "node:util";
import { ConfigError, type ReadFile, readSettingFile } from "./setting.ts";
import type { z } from "zod";
import { type AppList, readAppList } from "./app_list.ts";
import { clusterProblems, workersOn } from "./cluster_settings.ts";
import { denoDeployProblems } from "./deno_deploy.ts";
import {
  externalServer,
  externalServerProblems,
  reverbProblems,
  withReverb,
} from "./compatibility.ts";
import { mailProblems, toMail } from "./mail_settings.ts";
import { oidcProblems, toOidc } from "./oidc_settings.ts";
import { inCamelCase, settingEntries, settingsSchema } from "./settings.ts";
import { readTls, type Tls } from "./tls_files.ts";
import type { AppRules } from "@/realtime/app_config.ts";

export { ConfigError } from "./setting.ts";

/**
 * Reads the variables of a file such as `.env`; none if the file does not exist. As in Laravel's, a value
 * can contain another variable of the file, as in `"${REVERB_HOST}"`. Ignores the byte order
 * mark that editors on Windows put before the first line.
 *
 * @throws {ConfigError} when the file cannot be read.
 */
export function readEnvFile(path: string): Record<string, string | undefined> {
  try {
    return expanded(parseEnv(Deno.readTextFileSync(path).replace(/^\uFEFF/, "")));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return {};
    throw new ConfigError([`${path}: cannot be read; expected a text file, or none`]);
  }
}

/** A value with variables that are not in the file stays as it is. */
function expanded(values: Record<string, string | undefined>): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      value?.replace(/\$\{(\w+)\}/g, (text, other) => values[other] ?? text),
    ]),
  );
}

/**
 * The settings of an installation, validated: each by its name, such as `drainMs` for `DRAIN_MS`, and what
 * follows from several of them. One that is undefined is not set.
 */
export interface Config extends ReturnType<typeof toConfig> {}

/** The Pusher app that pages connect to; this server provides it unless another one is named. */
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

/** A setting that is given, and from where. */
export interface GivenSetting {
  /** The variable: of a renamed setting, the name by which it is given. */
  name: string;
  /** Absent for a secret. */
  value?: string;
  from: "environment" | ".env";
}

/** Settings whose value is never printed. */
const secretNames = new Set<string>(
  settingEntries.filter(([, { secret }]) => secret).map(([name]) => name),
);

/**
 * Reads the settings from environment variables.
 *
 * @param readFile reads the files that settings name; throws when it cannot.
 * @param inFile the variables that are from a file `.env`.
 * @throws {ConfigError} with one line for every bad value.
 */
export function parseConfig(
  environment: Record<string, string | undefined>,
  readFile: ReadFile = readSettingFile,
  inFile: readonly string[] = [],
): Config {
  const values = givenSettings(environment);
  const parsed = settingsSchema.safeParse(values);
  if (!parsed.success) throw new ConfigError(lines(parsed.error, values));
  const settings = withReverb(parsed.data, (name) => values[name] !== undefined);
  const problems = [
    ...renamedSettingProblems(environment),
    ...reverbProblems(parsed.data),
    ...externalServerProblems(settings),
    ...oidcProblems(settings),
    ...mailProblems(settings),
    ...clusterProblems(settings),
    ...denoDeployProblems(settings, environment),
  ];
  const tls = readTls(settings, readFile, problems);
  const appList = readAppList(settings, environment, readFile, problems);
  if (problems.length > 0) throw new ConfigError(problems);
  return toConfig(settings, environment, { appList, tls, inFile });
}

type Given = Record<string, string | undefined>;

/**
 * The settings that an environment gives, by their current names. An empty value counts as not given,
 * because Laravel's `.env` lists names without values.
 */
function givenSettings(environment: Given): Given {
  return Object.fromEntries(settingEntries.map(([name, { formerly }]) => [
    name,
    valueOf(environment, name) ?? valueOf(environment, formerly),
  ]));
}

/** The settings that are given, without the values of secrets. */
function namedSettings(environment: Given, inFile: readonly string[]): GivenSetting[] {
  return settingEntries.flatMap(([current, { formerly }]) => {
    const name = [current, formerly].find((one) => valueOf(environment, one) !== undefined);
    if (name === undefined) return [];
    const value = secretNames.has(current) ? undefined : valueOf(environment, name);
    return [{ name, value, from: inFile.includes(name) ? ".env" : "environment" }];
  });
}

/** One line for each setting whose former and current name have different values. */
function renamedSettingProblems(environment: Given): string[] {
  return settingEntries.flatMap(([name, { formerly }]) => {
    const [former, current] = [valueOf(environment, formerly), valueOf(environment, name)];
    if (former === undefined || current === undefined || former === current) return [];
    return [`${formerly}: given, but ${name} is too, with another value; expected one of them`];
  });
}

/** The settings that are given by a former name, with the name that they have now. */
function renamedSettings(environment: Given): { former: string; name: string }[] {
  return settingEntries.flatMap(([name, { formerly: former }]) =>
    former !== undefined && valueOf(environment, former) !== undefined ? [{ former, name }] : []
  );
}

function valueOf(environment: Given, name = ""): string | undefined {
  return environment[name]?.trim() || undefined;
}

/** One line for each invalid variable, even if its value has several faults. */
function lines(error: z.ZodError, given: Given): string[] {
  const faults = new Map(error.issues.toReversed().map((fault) => [String(fault.path[0]), fault]));
  return [...faults].reverse().map(([name, { message }]) => {
    const value = secretNames.has(name) ? "(secret, not shown)" : JSON.stringify(given[name]);
    return `${name}: ${value} is not allowed; expected ${message}`;
  });
}

type Settings = z.infer<typeof settingsSchema>;

function toConfig(
  settings: Settings,
  environment: Given,
  { appList, tls, inFile }: {
    appList: AppList | undefined;
    tls: Tls | undefined;
    inFile: readonly string[];
  },
) {
  const appUrl = settings.APP_URL ??
    new URL(`${tls ? "https" : "http"}://localhost:${settings.PORT}`);
  return {
    ...inCamelCase(settings),
    /** The public address. Its scheme decides whether cookies are `Secure`. */
    appUrl,
    /** The path of that address, below which everything is: "" or such as `/rollcall`. */
    basePath: appUrl.pathname === "/" ? "" : appUrl.pathname,
    dataFolder: settings.DATA_DIR,
    log: { format: settings.LOG_FORMAT, level: settings.LOG_LEVEL },
    pusher: toPusher(settings),
    redis: toRedis(settings),
    /** The provider with whose accounts people sign in; undefined: none. */
    oidc: toOidc(settings),
    /** How emails are sent; undefined: they are not. */
    mail: toMail(settings),
    workers: workersOn(navigator.hardwareConcurrency, settings.WORKERS),
    /** The rules of every app that does not state its own; absent ones have their defaults. */
    appRules: toAppRules(settings),
    /** The webhooks of the app of Rollcall's own pages, unless a list of apps has them. */
    webhooks: toWebhooks(settings),
    /** The settings that are given; all others have their defaults. */
    given: namedSettings(environment, inFile),
    /** The settings that are given by a former name. */
    renamed: renamedSettings(environment),
    /** The listed apps; the one that `pusher` names may be among them. */
    appList,
    /**
     * Whether a server that uses the database is made to stop, if it does not by itself: Deno Deploy starts
     * a new version while the old one still runs, and may not stop that before.
     */
    replacesOtherServer: Boolean(environment.DENO_DEPLOY),
    tls,
  };
}

function toWebhooks(
  { WEBHOOK_EVENT_TYPES: events, WEBHOOK_INCLUDE: include, WEBHOOK_URL: webhooks }: Settings,
) {
  return webhooks?.map(({ url }) => ({ url, ...events && { events }, ...include && { include } }));
}

/** Where Redis is, and what is Rollcall's in it. */
function toRedis({ REDIS_URL: url, REDIS_PREFIX: prefix }: Settings) {
  return url === undefined ? undefined : { url, prefix };
}

/** The Pusher app that pages connect to. */
function toPusher(settings: Settings): PusherConfig {
  return {
    appId: settings.PUSHER_APP_ID,
    key: settings.PUSHER_APP_KEY,
    secret: settings.PUSHER_APP_SECRET,
    ...externalServer(settings),
    scheme: settings.PUSHER_SCHEME,
  };
}

function toAppRules(settings: Settings): Partial<AppRules> {
  return {
    presenceMaxMembers: settings.PRESENCE_MAX_MEMBERS,
    presenceMaxFullMembers: settings.PRESENCE_MAX_FULL_MEMBERS,
    quietChannels: settings.QUIET_CHANNELS,
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
 * The settings of this process: its environment, and a file `.env` in the working folder for what the
 * environment does not give.
 *
 * @throws {ConfigError} with one line for every bad value.
 */
export function readConfig(path = ".env", environment: Given = Deno.env.toObject()): Config {
  const given = { ...readEnvFile(path), ...environment };
  const inFile = Object.keys(given).filter((name) => !(name in environment));
  return parseConfig(given, readSettingFile, inFile);
}

/**
 * Whether a proxy is certainly in front, and none is trusted: only this machine reaches the server, which
 * has no certificate, and people reach it over https. All clients then have the proxy's address.
 */
export function lacksTrustedProxy({ appUrl, host, tls, trustedProxies }: Config): boolean {
  const isLocal = ["localhost", "127.0.0.1", "::1"].includes(host);
  return isLocal && appUrl.protocol === "https:" && tls === undefined &&
    trustedProxies.length === 0;
}

/** Whether people reach the pages over https: by this server's own certificate, or by a proxy's. */
export function servesHttps(config: Config): boolean {
  return config.tls !== undefined || config.appUrl.protocol === "https:";
}
