import type { SettingName } from "./settings.ts";

/** The settings that choose the server to which pages connect. */
interface Settings {
  APP_URL?: URL;
  PORT: number;
  PUSHER_APP_KEY?: string;
  PUSHER_APP_SECRET?: string;
  PUSHER_HOST?: string;
  PUSHER_PORT?: number;
  PUSHER_SCHEME: "http" | "https";
  PUSHER_APP_CLUSTER?: string;
}

/** The cluster in Laravel's `.env`, whether its app connects to the hosted service or not. */
const clusterOfLaravel = "mt1";

/** Keys of the hosted service. */
const hostedKey = /^[0-9a-f]{20}$/;

const loopback = ["localhost", "127.0.0.1", "::1", "[::1]"];

/**
 * Where pages connect instead of here. Settings that came here with a Laravel app's and mean Rollcall
 * itself are none: its own address, the cluster `self`, and a cluster without a key and secret.
 */
export function externalServer(
  settings: Settings,
): { host?: string; port?: number; cluster?: string } {
  const { PUSHER_APP_KEY, PUSHER_APP_SECRET, PUSHER_APP_CLUSTER: cluster } = settings;
  const isOwn = isOwnAddress(settings);
  const isCluster = PUSHER_APP_KEY && PUSHER_APP_SECRET && cluster !== "self" && !isOwn;
  return {
    host: isOwn ? undefined : settings.PUSHER_HOST,
    port: isOwn ? undefined : settings.PUSHER_PORT,
    cluster: isCluster ? cluster : undefined,
  };
}

/** One line for each setting with which no external server can be reached. */
export function externalServerProblems(settings: Settings): string[] {
  const { host, cluster } = externalServer(settings);
  if (host) {
    // It does not know a generated key and secret.
    const names = ["PUSHER_APP_KEY", "PUSHER_APP_SECRET"] as const satisfies SettingName[];
    return names.filter((name) => !settings[name])
      .map((name) => `${name}: not given, but PUSHER_HOST is; expected that server's`);
  }
  if (cluster !== clusterOfLaravel || hostedKey.test(settings.PUSHER_APP_KEY ?? "")) return [];
  return [
    `PUSHER_APP_CLUSTER: "${cluster}" is not allowed, because PUSHER_APP_KEY is no key of the hosted ` +
    "Pusher service; expected none, unless pages should connect there",
  ];
}

/** Whether `PUSHER_HOST` is where this server is reached. */
function isOwnAddress({ APP_URL, PORT, PUSHER_HOST, PUSHER_PORT, PUSHER_SCHEME }: Settings) {
  if (PUSHER_HOST === undefined) return false;
  const host = PUSHER_HOST.toLowerCase();
  const port = PUSHER_PORT ?? defaultPort(PUSHER_SCHEME);
  if (loopback.includes(host) && port === PORT) return true;
  if (APP_URL === undefined) return false;
  const ownPort = Number(APP_URL.port) || defaultPort(APP_URL.protocol);
  return host === APP_URL.hostname && port === ownPort;
}

function defaultPort(scheme: string): number {
  return scheme.startsWith("https") ? 443 : 80;
}
