import { STATUS_CODE } from "@std/http/status";
import { servesHttps } from "@/server/config/config.ts";
import { routeClass } from "@/server/observability/metrics.ts";
import type { Services } from "@/server/services.ts";
import { pathOf } from "@/shared/address.ts";
import { rateLimitKey } from "@/server/net/window_limits.ts";
import type { EarlyAnswer } from "./prefixed_app.ts";
import { setSecurityHeaders } from "./security_headers.ts";
import { addressOf } from "./steps.ts";

const routedMethods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/**
 * Refuses the requests at which Fresh throws before its first middleware: anyone who sends them would get a
 * status 500 without security headers, and a stack trace into the log. They are counted as others are.
 *
 * @returns null for requests that Fresh can route.
 */
export function refuseUnroutable(
  { config, metrics, httpApi }: Services,
): (request: Request) => Response | null {
  const https = servesHttps(config);
  return (request) => {
    const start = performance.now();
    const fault = routingFault(request);
    if (fault === null) return null;
    const { status, message } = fault;
    const response = new Response(`${message}\n`, { status });
    const url = URL.parse(request.url);
    setSecurityHeaders(response, { https, hostname: url?.hostname });
    const route = url ? routeClass(pathOf(url), (path) => httpApi.handles(path)) : "page";
    metrics.http.answered(route, status, performance.now() - start);
    return response;
  };
}

/** Why Fresh cannot route a request; null if it can. */
export function routingFault(
  { method, url }: Pick<Request, "method" | "url">,
): { status: number; message: string } | null {
  if (!routedMethods.has(method)) {
    return { status: STATUS_CODE.NotImplemented, message: "The method is not supported." };
  }
  const address = URL.parse(url);
  if (address === null) {
    return { status: STATUS_CODE.BadRequest, message: "The Host header is malformed." };
  }
  if (isDecodable(address.pathname)) return null;
  return { status: STATUS_CODE.BadRequest, message: "The path's percent-encoding is malformed." };
}

function isDecodable(path: string): boolean {
  try {
    decodeURI(path);
    return true;
  } catch {
    return false;
  }
}

/**
 * The realtime server answers WebSocket requests on any path. It reports a wrong path in the protocol,
 * because a client without a WebSocket would retry indefinitely. Fresh is not asked, which would compare their
 * path with the pattern of every route: a third of the CPU time of a connection.
 */
export function answerSockets(services: Services): EarlyAnswer {
  const { realtime, metrics } = services;
  return (request, { remoteAddr }) => {
    const path = pathOf(new URL(request.url));
    const isSocket = request.headers.get("upgrade")?.toLowerCase() === "websocket" ||
      path.startsWith("/app/");
    if (!isSocket) return null;
    const start = performance.now();
    const address = rateLimitKey(addressOf(services, request, remoteAddr));
    const response = realtime.upgrade(request, address);
    metrics.http.answered(
      routeClass(path, () => false),
      response.status,
      performance.now() - start,
    );
    return response;
  };
}
