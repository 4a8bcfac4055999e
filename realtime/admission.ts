import type { App } from "./app.ts";
import type { LimitName } from "./connections/limit_counters.ts";
import type { RejectionReason } from "./events/rejections.ts";
import { type Close, closes, protocolVersions } from "./protocol/close_codes.ts";

/** Why a socket is closed as soon as it is open. */
export interface AdmissionFailure {
  readonly close: Close;
  /** For the app's developer, with the app if there is one. */
  readonly rejected?: { readonly reason: RejectionReason; readonly app?: App };
  /** The limit that it exceeded, if one. */
  readonly limit?: LimitName;
}

/**
 * Decides whether a socket may open, by its address `[/PREFIX]/app/KEY?protocol=7`, its origin and
 * the app. The HTTP upgrade itself is not refused here: a client would learn no reason, and try
 * again for ever.
 *
 * @returns the app, or why the socket is closed once it is open.
 */
export function admission(
  request: Request,
  appOf: (key: string) => App | undefined,
): App | AdmissionFailure {
  const url = URL.parse(request.url);
  // A malformed Host header leaves no address.
  if (!url) return { close: closes.pathNotFound, rejected: wrongAddress };
  const key = /\/app\/([^/]+)\/?$/.exec(url.pathname)?.[1];
  if (key === undefined) return { close: closes.pathNotFound, rejected: wrongAddress };
  const app = appOf(key);
  if (!app) return { close: closes.noSuchApp(key), rejected: { reason: "unknown_app" } };
  const protocol = protocolFault(url.searchParams.get("protocol"));
  if (protocol) return { close: protocol, rejected: { ...wrongAddress, app } };
  const origin = originFault(request.headers.get("origin"), app.settings.allowedOrigins);
  if (origin) return { close: origin, rejected: { reason: "wrong_origin", app } };
  return app.refusal() ?? app;
}

const wrongAddress = { reason: "wrong_address" } as const;

function protocolFault(protocol: string | null): Close | undefined {
  if (!protocol) return closes.noProtocol;
  const { lowest, highest } = protocolVersions;
  const version = /^\d{1,3}$/.test(protocol) ? Number(protocol) : NaN;
  return version >= lowest && version <= highest ? undefined : closes.unsupportedProtocol;
}

/** A client that sends no origin is not a page, and could as well send a false one. */
function originFault(origin: string | null, allowed: string[]): Close | undefined {
  if (origin === null || allowed.includes("*")) return undefined;
  const host = URL.parse(origin)?.hostname;
  const isAllowed = allowed.includes(origin.toLowerCase()) ||
    (host !== undefined && allowed.some((pattern) => isBelow(host, pattern)));
  return isAllowed ? undefined : closes.originNotAllowed;
}

/** Whether a host is the one that a pattern without scheme names, or `*.` and a host above it. */
function isBelow(host: string, pattern: string): boolean {
  return pattern.startsWith("*.") ? host.endsWith(pattern.slice(1)) : host === pattern;
}

/**
 * Whether a client stops for good when its sockets are closed soon after they opened: pusher-js before
 * 8.2, which gives up WebSockets after two closes that its runtime does not report as clean, as Node
 * and React Native report none. It has to be refused before its socket opens.
 *
 * @param query of the socket's address, where pusher-js names itself.
 */
export function givesUpWhenClosed(query: URLSearchParams): boolean {
  const [major, minor] = (query.get("version") ?? "").split(".").map(parseFloat);
  return query.get("client") === "js" && (major < 8 || major === 8 && minor < 2);
}
