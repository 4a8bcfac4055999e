import { HttpError } from "fresh";
import { csrfToken, isCsrfSeed, isCsrfToken, newCsrfSeed } from "@/server/accounts/csrf_token.ts";
import { define } from "./state.ts";
import { isSafe } from "./input.ts";
import { ExpiredPageError } from "./rejection.ts";
import { readCookie, writeCookie } from "./session_cookies.ts";
import { mayComeFromOwnPage } from "./request.ts";
import { text } from "@/shared/language.ts";

/** Sets the page's CSRF token, and the browser's CSRF cookie if it has none. */
export const provideCsrfToken = define.middleware(async (ctx) => {
  const { config, appSecret, session } = ctx.state;
  const sent = readCookie(ctx.req.headers, config, "csrf");
  const seed = isCsrfSeed(sent) ? sent : newCsrfSeed();
  ctx.state.csrfToken = csrfToken(appSecret, seed, session?.id ?? null);
  const response = await ctx.next();
  if (seed !== sent) writeCookie(response.headers, config, "csrf", seed);
  return response;
});

/**
 * Refuses requests with an unsafe method that a page of another site sent, and requests that do not carry
 * the page's CSRF token, in the header `X-CSRF-TOKEN` or in the form field `_token`.
 *
 * @throws {HttpError} 403 when another site sent it.
 * @throws {ExpiredPageError} when the token is missing or another one.
 */
export const requireCsrfToken = define.middleware(async (ctx) => {
  if (isSafe(ctx.req.method)) return await ctx.next();
  const { config, appSecret, session, input } = ctx.state;
  if (!mayComeFromOwnPage(ctx.req.headers, ctx.url, config.appUrl)) {
    throw new HttpError(403, text`A page of another site sent this request.`);
  }
  const field = typeof input._token === "string" ? input._token : null;
  const token = ctx.req.headers.get("x-csrf-token") ?? field;
  if (!token) throw new ExpiredPageError("csrf_token_missing");
  const seed = readCookie(ctx.req.headers, config, "csrf");
  if (!isCsrfToken(appSecret, token, seed, session?.id ?? null)) {
    throw new ExpiredPageError("csrf_token_mismatch");
  }
  return await ctx.next();
});
