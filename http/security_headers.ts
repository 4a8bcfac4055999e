import { STATUS_CODE } from "@std/http/status";
import { csp } from "fresh";
import { externalSocketOrigins } from "@/server/config/client_options.ts";
import { type Config, servesHttps } from "@/server/config/config.ts";
import { pathOf } from "@/shared/address.ts";
import { define, type State } from "./state.ts";

/**
 * A content security policy that allows only this origin's scripts and styles, and no framing. Fresh
 * replaces `'unsafe-inline'` with each page's nonce; {@link securityHeaders} removes it from other answers.
 */
export function contentPolicy(config: Config) {
  const sockets = externalSocketOrigins(config.pusher).join(" ");
  return csp<State>({
    useNonce: true,
    csp: [
      "script-src 'self' 'unsafe-inline'",
      "style-src 'self'",
      // The font of large numbers is in the style sheet.
      "font-src data:",
      `connect-src 'self' ${sockets}`.trim(),
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ],
  });
}

/** How long browsers use https only for this host, in seconds: a year. */
const hstsSeconds = 365 * 24 * 60 * 60;

/**
 * Paths with the token of an invitation or of a link to reset a password. A `Referer` from there has the
 * origin alone, whatever the answer: it arrives in logs. Without any, forms over plain http would have no
 * `Origin` either.
 */
const holdsToken = /^\/(invite|reset-password)\//;

/** Tightens the policy and sets the headers of every answer; see {@link setSecurityHeaders}. */
export function securityHeaders(config: Config) {
  const https = servesHttps(config);
  return define.middleware(async (ctx) => {
    const response = await ctx.next();
    tightenPolicy(response.headers, https);
    if (holdsToken.test(pathOf(ctx.url))) response.headers.set("referrer-policy", "strict-origin");
    setSecurityHeaders(response, { https, hostname: ctx.url.hostname });
    return response;
  });
}

/**
 * Sets the headers that do not depend on the content. Pages contain a token and a live number, so nothing is
 * cached unless the answer says so.
 *
 * @param origin whether browsers use https, and the name of the host that was asked, if it has one.
 */
export function setSecurityHeaders(
  { headers, status }: Response,
  { https, hostname }: { https: boolean; hostname: string | undefined },
): void {
  headers.set("x-content-type-options", "nosniff");
  // For "localhost" it would hold for whatever else is developed there.
  if (https && hostname !== "localhost") {
    headers.set("strict-transport-security", `max-age=${hstsSeconds}`);
  }
  if (!headers.has("referrer-policy")) headers.set("referrer-policy", "same-origin");
  headers.set("cross-origin-opener-policy", "same-origin");
  headers.set("permissions-policy", "camera=(), geolocation=(), microphone=()");
  // The headers of a 304 replace the headers that the browser keeps with the file.
  if (!headers.has("cache-control") && status !== STATUS_CODE.NotModified) {
    headers.set("cache-control", "no-store");
  }
}

/**
 * Removes two parts of Fresh's policy: answers without a nonce must not run inline scripts, and without
 * https requests must not be upgraded to it.
 */
function tightenPolicy(headers: Headers, https: boolean): void {
  const policy = headers.get("content-security-policy");
  if (policy === null) return;
  const directives = policy.replaceAll(" 'unsafe-inline'", "").split("; ");
  const policies = directives.filter((name) => https || name !== "upgrade-insecure-requests");
  headers.set("content-security-policy", policies.join("; "));
}
