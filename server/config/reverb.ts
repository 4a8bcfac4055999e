import type { SettingName } from "./settings.ts";

/** What Laravel Reverb's settings can stand for. */
export interface ReverbSettings {
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
export function isLoopback(host: string): boolean {
  return loopback.includes(host.toLowerCase());
}

/** The port of an address that states none. */
export function defaultPort(scheme: string): number {
  return scheme.startsWith("https") ? 443 : 80;
}

const credentials = ["ID", "KEY", "SECRET"] as const;

/**
 * Completes settings by those of Laravel Reverb, as they are in the `.env` of an app whose Reverb is
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
export function replacesReverb({ REVERB_APP_KEY, REVERB_HOST }: ReverbSettings): boolean {
  return REVERB_APP_KEY !== undefined || REVERB_HOST !== undefined;
}

/** Clients of the same machine connect without a proxy, so their port is the one to listen on. */
function listenPort(settings: ReverbSettings): number | undefined {
  const { REVERB_HOST: host, REVERB_PORT, REVERB_SERVER_PORT } = settings;
  if (REVERB_SERVER_PORT !== undefined) return REVERB_SERVER_PORT;
  return host !== undefined && isLoopback(host) ? REVERB_PORT : undefined;
}

/** A name without a dot, such as that of a container, is not public. */
function publicAddress(settings: ReverbSettings): URL | undefined {
  const { REVERB_HOST: host, REVERB_SCHEME: scheme, REVERB_PORT } = settings;
  if (host === undefined || isLoopback(host) || !/[.:]/.test(host)) return undefined;
  return new URL(`${scheme}://${host}:${REVERB_PORT ?? defaultPort(scheme)}`);
}
