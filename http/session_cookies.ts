import { setCookie } from "@std/http/cookie";
import { cookieScope } from "@/server/accounts/csrf_token.ts";
import { type Config, servesHttps } from "@/server/config/config.ts";
import type { Context } from "fresh";
import { href, pathOf } from "@/shared/address.ts";
import { pendingSeconds } from "@/server/accounts/pending_sign_in.ts";
import type { State } from "./state.ts";

/** How long browsers keep the cookies of visitors who are not signed in, in seconds: a year. */
const maxAge = 365 * 24 * 60 * 60;

/**
 * The value of a cookie of the request; undefined when there is none. Other cookies may be malformed,
 * for which `getCookies` of `@std/http` throws.
 */
export function readCookie(headers: Headers, config: Config, name: string): string | undefined {
  const start = `${fullName(config, name)}=`;
  const pairs = headers.get("cookie")?.split(";").map((pair) => pair.trim());
  return pairs?.findLast((pair) => pair.startsWith(start))?.slice(start.length);
}

/**
 * Sets a cookie that scripts cannot read and requests from other sites do not carry.
 *
 * @param seconds how long browsers keep it: a year, unless said otherwise; 0 removes it.
 */
export function writeCookie(
  headers: Headers,
  config: Config,
  name: string,
  value: string,
  seconds = maxAge,
): void {
  setCookie(headers, {
    name: fullName(config, name),
    value,
    path: cookieScope(config.appUrl, servesHttps(config)).path,
    maxAge: seconds,
    httpOnly: true,
    sameSite: "Lax",
    secure: servesHttps(config),
  });
}

function fullName(config: Config, name: string): string {
  return `${cookieScope(config.appUrl, servesHttps(config)).namePrefix}_${name}`;
}

/** The cookie of a browser whose password was right, and that is asked for a second factor. */
export const secondFactorCookie = "second_factor";

/** The cookies of a new session and of its device. */
interface SessionCookies {
  /** Complete Set-Cookie values. */
  cookies: string[];
  device: string;
}

/** Adds the cookies of a new session and of the device to an answer. */
export function withSession(
  response: Response,
  config: Config,
  session: SessionCookies,
): Response {
  writeSession(response.headers, config, session);
  return response;
}

/** Adds the cookies of a new session and of the device to the headers of an answer. */
export function writeSession(
  headers: Headers,
  config: Config,
  { cookies, device }: SessionCookies,
): void {
  for (const cookie of cookies) headers.append("set-cookie", cookie);
  writeCookie(headers, config, "device", device);
}

/** Sends a browser whose password was right to the page that asks for the second factor. */
export function askSecondFactor(ctx: Context<State>, ticket: string, returnTo: string): Response {
  const path = `/sign-in/second-factor?return=${encodeURIComponent(returnTo)}`;
  const response = ctx.redirect(href(path), 303);
  writeCookie(response.headers, ctx.state.config, secondFactorCookie, ticket, pendingSeconds);
  return response;
}

/**
 * Signs a user in who has just set a password, and redirects. Where the limit of sign-ins refuses it, the
 * sign-in page is in between, and where a second factor is needed, its page.
 */
export async function signInNewUser(
  ctx: Context<State>,
  credentials: { email: string; password: string },
  path: string,
): Promise<Response> {
  const { accounts, clientAddress, config } = ctx.state;
  const userAgent = ctx.req.headers.get("user-agent") ?? "";
  const attempt = await accounts.signIn(credentials, clientAddress, undefined, userAgent);
  if (attempt.ok) return withSession(ctx.redirect(href(path), 303), config, attempt);
  if (attempt.reason === "second_factor") return askSecondFactor(ctx, attempt.ticket, path);
  return ctx.redirect(href(`/sign-in?return=${encodeURIComponent(path)}`), 303);
}

/** The path of the sign-in page that redirects to `page` afterwards. */
export function signInPath(page: URL): string {
  return `/sign-in?return=${encodeURIComponent(pathOf(page) + page.search)}`;
}

/** The path to redirect to after sign-in: the one that was asked for if it is of this app, else `/`. */
export function returnPath(asked: unknown): string {
  if (typeof asked !== "string" || !isOfThisHost(asked)) return "/";
  const base = "http://rollcall.invalid";
  const url = URL.parse(asked, base);
  // Parsing removes dots: "/.//elsewhere" becomes another host's.
  return url?.origin === base && isOfThisHost(url.pathname) ? url.pathname + url.search : "/";
}

/** Whether it is a path, and not what browsers read as the name of another host. */
function isOfThisHost(path: string): boolean {
  return /^\/(?![/\\])/.test(path);
}
