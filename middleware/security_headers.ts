import { csp } from "fresh";
import { foreignSocketOrigins } from "../config/client_settings.ts";
import type { Config } from "../config/config.ts";
import { define, type State } from "../state.ts";
import { servesHttps } from "../config/config.ts";

/**
 * A content policy under which only this origin's scripts and styles run, and nobody may frame a
 * page. Fresh puts each page's nonce in the place of `'unsafe-inline'`; see `securityHeaders` for
 * answers that are no pages.
 */
export function contentPolicy(config: Config) {
  const sockets = foreignSocketOrigins(config.pusher).join(" ");
  return csp<State>({
    useNonce: true,
    csp: [
      "script-src 'self' 'unsafe-inline'",
      "style-src 'self'",
      `connect-src 'self' ${sockets}`.trim(),
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ],
  });
}

/** Headers that every answer carries. Pages hold a token and a live number, so nothing is cached. */
export function securityHeaders(config: Config) {
  const https = servesHttps(config);
  return define.middleware(async (ctx) => {
    const response = await ctx.next();
    tightenPolicy(response.headers, https);
    response.headers.set("x-content-type-options", "nosniff");
    if (!response.headers.has("referrer-policy")) {
      response.headers.set("referrer-policy", "same-origin");
    }
    response.headers.set("cross-origin-opener-policy", "same-origin");
    response.headers.set("permissions-policy", "camera=(), geolocation=(), microphone=()");
    if (!response.headers.has("cache-control")) response.headers.set("cache-control", "no-store");
    return response;
  });
}

/**
 * Takes from Fresh's policy what does not fit here: answers without a nonce run no inline script at
 * all, and a server without https cannot have its requests upgraded to it.
 */
function tightenPolicy(headers: Headers, https: boolean): void {
  const policy = headers.get("content-security-policy");
  if (policy === null) return;
  const directives = policy.replaceAll(" 'unsafe-inline'", "").split("; ");
  const kept = directives.filter((name) => https || name !== "upgrade-insecure-requests");
  headers.set("content-security-policy", kept.join("; "));
}
