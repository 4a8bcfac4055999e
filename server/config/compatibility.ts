import type { SettingName } from "./settings.ts";

/** What Laravel Reverb's settings can stand for. */
interface ReverbSettings {
  APP_URL?: URL;
  HOST: string;
  PORT: number;
  PUSHER_APP_ID?: string;
  PUSHER_APP_KEY?: string;
  PUSHER_APP_SECRET?: string;
  REVERB_APP_ID?: string;
  REVERB_APP_KEY?: string;
  REVERB_APP_SECRET?: string;
  REVERB_HOST?: string;
  REVERB_PORT?: number;
  REVERB_SCHEME: "http" | "https";
  REVERB_SERVER_HOST?: string;
  REVERB_SERVER_PORT?: number;
}

/** Names of this machine, which only its own clients can use. */
const loopback = ["localhost", "127.0.0.1", "[::1]", "0.0.0.0"];

/** Whether a host is this machine for its own clients. */
function isLoopback(host: string): boolean {
  return loopback.includes(host.toLowerCase());
}

/** The port of an address that states none. */
function defaultPort(scheme: string): number {
  return scheme.startsWith("https") ? 443 : 80;
}

const credentials = ["ID", "KEY", "SECRET"] as const;

/**
 * Completes settings with Laravel Reverb's, as they are in the `.env` of an app whose Reverb is
 * replaced. A setting that is given by its own name stays as it is.
 *
 * @param isGiven whether a setting is given by its own name.
 */
export function withReverb<S extends ReverbSettings>(
  settings: S,
  isGiven: (name: SettingName) => boolean,
): S {
  return {
    ...settings,
    PUSHER_APP_ID: settings.PUSHER_APP_ID ?? settings.REVERB_APP_ID,
    PUSHER_APP_KEY: settings.PUSHER_APP_KEY ?? settings.REVERB_APP_KEY,
    PUSHER_APP_SECRET: settings.PUSHER_APP_SECRET ?? settings.REVERB_APP_SECRET,
    HOST: isGiven("HOST") ? settings.HOST : settings.REVERB_SERVER_HOST ?? settings.HOST,
    PORT: isGiven("PORT") ? settings.PORT : listenPort(settings) ?? settings.PORT,
    APP_URL: settings.APP_URL ?? publicAddress(settings),
  };
}

/** One line for each credential that both families of settings give, with different values. */
export function reverbProblems(settings: ReverbSettings): string[] {
  return credentials.flatMap((part) => {
    const [own, reverb] = [settings[`PUSHER_APP_${part}`], settings[`REVERB_APP_${part}`]];
    if (own === undefined || reverb === undefined || own === reverb) return [];
    return [
      `REVERB_APP_${part}: given, but PUSHER_APP_${part} is too, with another value; expected one ` +
      "of them",
    ];
  });
}

/** Whether any setting says that the app uses Reverb, and so connects to no hosted service. */
function replacesReverb({ REVERB_APP_KEY, REVERB_HOST }: ReverbSettings): boolean {
  return REVERB_APP_KEY !== undefined || REVERB_HOST !== undefined;
}

/** Clients of the same machine connect without a proxy, so their port is the one to listen on. */
function listenPort(settings: ReverbSettings): number | undefined {
  const { REVERB_HOST: host, REVERB_PORT, REVERB_SERVER_PORT } = settings;
  if (REVERB_SERVER_PORT !== undefined) return REVERB_SERVER_PORT;
  return host !== undefined && isLoopback(host) ? REVERB_PORT : undefined;
}

/** A name without a dot, such as a container's, is not public. */
function publicAddress(settings: ReverbSettings): URL | undefined {
  const { REVERB_HOST: host, REVERB_SCHEME: scheme, REVERB_PORT } = settings;
  if (host === undefined || isLoopback(host) || !/[.:]/.test(host)) return undefined;
  return new URL(`${scheme}://${host}:${REVERB_PORT ?? defaultPort(scheme)}`);
}

/** How the names of Soketi's settings of its default app begin. */
export const soketiPrefix = "SOKETI_DEFAULT_APP_";

/** Soketi's settings of its default app, without their prefix, and the field of each in a list. */
export const soketiVariables = {
  ID: "id",
  KEY: "key",
  SECRET: "secret",
  ENABLED: "enabled",
  MAX_CONNS: "maxConnections",
  ENABLE_CLIENT_MESSAGES: "enableClientMessages",
  USER_AUTHENTICATION: "enableUserAuthentication",
  MAX_BACKEND_EVENTS_PER_SEC: "maxBackendEventsPerSecond",
  MAX_CLIENT_EVENTS_PER_SEC: "maxClientEventsPerSecond",
  MAX_READ_REQ_PER_SEC: "maxReadRequestsPerSecond",
  WEBHOOKS: "webhooks",
};

/**
 * A list with the default app of Soketi's settings, as JSON; undefined unless they have an id, key or
 * secret.
 */
export function soketiAppList(
  environment: Record<string, string | undefined>,
): string | undefined {
  const entries = Object.entries(soketiVariables).map(([name, field]) => [
    field,
    environment[`${soketiPrefix}${name}`]?.trim() || undefined,
  ]);
  const app = Object.fromEntries(entries);
  return app.id ?? app.key ?? app.secret ? JSON.stringify([app]) : undefined;
}

/** The settings that choose the server to which pages connect. */
export interface ExternalServerSettings extends ReverbSettings {
  PUSHER_HOST?: string;
  PUSHER_PORT?: number;
  PUSHER_SCHEME: "http" | "https";
  PUSHER_APP_CLUSTER?: string;
  COUNTED_CHANNELS: unknown[];
}

/** The cluster in Laravel's `.env`, whether its app connects to the hosted service or not. */
const clusterOfLaravel = "mt1";

/** Keys of the hosted service. */
const hostedKey = /^[0-9a-f]{20}$/;

/**
 * Where pages connect instead of here. Settings that came here with a Laravel app's and mean Rollcall
 * itself are none: its own address, the cluster `self`, a cluster without a key and secret or beside
 * Reverb's settings, and `mt1` with a key that the hosted service does not have.
 */
export function externalServer(
  settings: ExternalServerSettings,
): { host?: string; port?: number; cluster?: string } {
  const { PUSHER_APP_CLUSTER: cluster } = settings;
  const isOwn = isOwnAddress(settings);
  return {
    host: isOwn ? undefined : settings.PUSHER_HOST,
    port: isOwn ? undefined : settings.PUSHER_PORT,
    cluster: isOwn || !isHosted(settings) ? undefined : cluster,
  };
}

function isHosted(settings: ExternalServerSettings): boolean {
  const { PUSHER_APP_KEY: key, PUSHER_APP_SECRET, PUSHER_APP_CLUSTER: cluster } = settings;
  if (!key || !PUSHER_APP_SECRET || replacesReverb(settings)) return false;
  return cluster !== "self" && (cluster !== clusterOfLaravel || hostedKey.test(key));
}

/** One line for each setting with which no external server can be reached. */
export function externalServerProblems(settings: ExternalServerSettings): string[] {
  const { host, cluster } = externalServer(settings);
  const problems = settings.COUNTED_CHANNELS.length > 0 && (host ?? cluster)
    ? ["COUNTED_CHANNELS: given, but the external server counts; expected none"]
    : [];
  return host ? [...problems, ...hostProblems(settings)] : problems;
}

function hostProblems(settings: ExternalServerSettings): string[] {
  if (settings.REVERB_HOST !== undefined) {
    return [
      "REVERB_HOST: given, but PUSHER_HOST is too, with another address; expected one of them",
    ];
  }
  // It does not know a generated key and secret.
  const names = ["PUSHER_APP_KEY", "PUSHER_APP_SECRET"] as const satisfies SettingName[];
  return names.filter((name) => !settings[name])
    .map((name) => `${name}: not given, but PUSHER_HOST is; expected that server's`);
}

/** Whether `PUSHER_HOST` is where this server is reached. */
function isOwnAddress(settings: ExternalServerSettings): boolean {
  const { APP_URL, HOST, PORT, PUSHER_HOST, PUSHER_PORT, PUSHER_SCHEME } = settings;
  if (PUSHER_HOST === undefined) return false;
  const host = PUSHER_HOST.toLowerCase();
  const port = PUSHER_PORT ?? defaultPort(PUSHER_SCHEME);
  if (isSameReverb(settings, host, port)) return true;
  const names = [HOST.toLowerCase(), `[${HOST.toLowerCase()}]`, APP_URL?.hostname];
  if (port === PORT && (isLoopback(host) || names.includes(host))) return true;
  if (APP_URL === undefined) return false;
  return host === APP_URL.hostname &&
    port === (Number(APP_URL.port) || defaultPort(APP_URL.protocol));
}

/** The address of Reverb is the address of the server which replaces it. */
function isSameReverb(settings: ExternalServerSettings, host: string, port: number): boolean {
  const { REVERB_HOST, REVERB_PORT, REVERB_SCHEME } = settings;
  return REVERB_HOST?.toLowerCase() === host &&
    port === (REVERB_PORT ?? defaultPort(REVERB_SCHEME));
}
