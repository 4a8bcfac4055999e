import { csp } from "fresh";
import { foreignSocketOrigins } from "../config/client_settings.ts";
import { type Config, servesHttps } from "../config/config.ts";
import { define, type State } from "../state.ts";

/**
 * A content security policy that allows only this origin's scripts and styles, and no framing. Fresh
 * replaces `'unsafe-inline'` with each page's nonce; {@link securityHeaders} removes it from other answers.
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

/** How long browsers use https only for this host, in seconds: a year. */
const hstsSeconds = 365 * 24 * 60 * 60;

/** Sets headers of every answer. Pages contain a token and a live number, so nothing is cached. */
export function securityHeaders(config: Config) {
  const https = servesHttps(config);
  return define.middleware(async (ctx) => {
    const response = await ctx.next();
    tightenPolicy(response.headers, https);
    response.headers.set("x-content-type-options", "nosniff");
    // For "localhost" it would hold for whatever else is developed there.
    if (https && ctx.url.hostname !== "localhost") {
      response.headers.set("strict-transport-security", `max-age=${hstsSeconds}`);
    }
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
 * Removes two parts of Fresh's policy: answers without a nonce must not run inline scripts, and without
 * https requests must not be upgraded to it.
 */
function tightenPolicy(headers: Headers, https: boolean): void {
  const policy = headers.get("content-security-policy");
  if (policy === null) return;
  const directives = policy.replaceAll(" 'unsafe-inline'", "").split("; ");
  const kept = directives.filter((name) => https || name !== "upgrade-insecure-requests");
  headers.set("content-security-policy", kept.join("; "));
}
