import type { Context } from "./context.ts";
import { HttpError } from "./http_error.ts";
import type { Middleware } from "./middleware.ts";

/** Settings of `csrf`. */
export interface CsrfOptions<State> {
  /** The origins that may send forms here; unless given, the one that the request came to. */
  origin?:
    | string
    | string[]
    | ((origin: string, ctx: Context<State>) => boolean);
}

const safeMethods = ["GET", "HEAD", "OPTIONS"];

/**
 * Refuses, with 403, requests that change something and come from a page of another origin, by what
 * browsers say in Sec-Fetch-Site and Origin. Sockets are opened by GET, so it does not protect them.
 */
export function csrf<State>(options: CsrfOptions<State> = {}): Middleware<State> {
  return (ctx) => {
    if (safeMethods.includes(ctx.req.method) || comesFromAllowedPage(ctx, options)) {
      return ctx.next();
    }
    throw new HttpError(403);
  };
}

function comesFromAllowedPage<State>(ctx: Context<State>, options: CsrfOptions<State>): boolean {
  const site = ctx.req.headers.get("sec-fetch-site");
  if (site === "same-origin" || site === "none") return true;
  const origin = ctx.req.headers.get("origin");
  if (origin === null) return site === null; // not a browser, so no cookies are abused
  return isAllowed(origin, ctx, options.origin ?? ctx.url.origin);
}

function isAllowed<State>(
  origin: string,
  ctx: Context<State>,
  allowed: NonNullable<CsrfOptions<State>["origin"]>,
): boolean {
  if (typeof allowed === "function") return allowed(origin, ctx);
  return [allowed].flat().includes(origin);
}
