import { defaultPort, isLoopback, replacesReverb, type ReverbSettings } from "./reverb.ts";
import type { SettingName } from "./settings.ts";

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

/** The address of Reverb is that of the server which replaces it. */
function isSameReverb(settings: ExternalServerSettings, host: string, port: number): boolean {
  const { REVERB_HOST, REVERB_PORT, REVERB_SCHEME } = settings;
  return REVERB_HOST?.toLowerCase() === host &&
    port === (REVERB_PORT ?? defaultPort(REVERB_SCHEME));
}
