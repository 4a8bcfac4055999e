import { internals } from "./context.ts";
import type { Middleware } from "./middleware.ts";

/** Settings of `csp`. */
export interface CSPOptions {
  /** Directives that replace the defaults of the same name, or add to them: "img-src 'self' data:". */
  csp?: string[];
  /**
   * Marks the page's inline scripts and styles with a nonce, and puts that in the place of
   * 'unsafe-inline' in the policy. An answer that is no rendered page keeps 'unsafe-inline'.
   */
  useNonce?: boolean;
}

const defaults = [
  "default-src 'self'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "font-src 'self'",
  "img-src 'self' data:",
  "media-src 'self' data: blob:",
  "worker-src 'self' blob:",
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "upgrade-insecure-requests",
];

const takesNonce =
  /^(default-src|script-src|style-src|script-src-elem|style-src-elem|style-src-attr) /;

/** Sets the Content-Security-Policy of every answer. */
export function csp<State>(options: CSPOptions = {}): Middleware<State> {
  const directives = merged(options.csp ?? []);
  return async (ctx) => {
    const response = await ctx.next();
    const nonce = options.useNonce ? ctx[internals].nonce : undefined;
    const policy = nonce ? directives.map((directive) => withNonce(directive, nonce)) : directives;
    response.headers.set("content-security-policy", policy.join("; "));
    return response;
  };
}

/** The defaults without those that are given, then what is given. */
function merged(own: string[]): string[] {
  const given = own.map((directive) => directive.trim());
  const names = new Set(given.map(nameOf));
  return [...defaults.filter((directive) => !names.has(nameOf(directive))), ...given];
}

function nameOf(directive: string): string {
  return directive.split(/\s/)[0];
}

function withNonce(directive: string, nonce: string): string {
  return takesNonce.test(directive)
    ? directive.replace("'unsafe-inline'", `'nonce-${nonce}'`)
    : directive;
}
