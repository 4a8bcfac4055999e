import { closeCodes, protocolVersions } from "../protocol/protocol.ts";
import type { App } from "../app.ts";
import type { LimitName } from "./refusals.ts";

/** Why a socket is closed as soon as it is open. */
export interface Refusal {
  code: number;
  message: string;
  /** The limit that was passed, if one was. */
  limit?: LimitName;
}

/**
 * Decides about a connection by its address, `[/PREFIX]/app/KEY?protocol=7`, and its origin. The HTTP
 * upgrade itself is never refused: a client would only try again every second.
 */
export function admission(
  request: Request,
  appOf: (key: string) => App | undefined,
): App | Refusal {
  const url = URL.parse(request.url);
  // A malformed Host header leaves no address.
  if (!url) return refusal(closeCodes.pathNotFound, "Path not found");
  const key = /\/app\/([^/]+)\/?$/.exec(url.pathname)?.[1];
  if (key === undefined) return refusal(closeCodes.pathNotFound, "Path not found");
  const app = appOf(key);
  if (!app) return refusal(closeCodes.noSuchApp, `App key ${key.slice(0, 100)} does not exist`);
  return protocolRefusal(url.searchParams.get("protocol")) ??
    originRefusal(request.headers.get("origin"), app.rules.allowedOrigins) ??
    app.refusal() ?? app;
}

function protocolRefusal(protocol: string | null): Refusal | undefined {
  if (!protocol) return refusal(closeCodes.noProtocol, "No protocol version supplied");
  const { lowest, highest } = protocolVersions;
  const version = /^\d{1,3}$/.test(protocol) ? Number(protocol) : NaN;
  return version >= lowest && version <= highest ? undefined : refusal(
    closeCodes.unsupportedProtocol,
    `Protocol versions ${lowest} to ${highest} are spoken`,
  );
}

/** A client that sends no origin is no page, and could as well send a false one. */
function originRefusal(origin: string | null, allowed: string[]): Refusal | undefined {
  if (origin === null || allowed.includes("*")) return undefined;
  return allowed.includes(origin.toLowerCase())
    ? undefined
    : refusal(closeCodes.notAuthorized, "Pages of this origin may not connect");
}

function refusal(code: number, message: string): Refusal {
  return { code, message };
}
