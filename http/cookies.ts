import { setCookie } from "@std/http/cookie";
import { cookieScope } from "@/server/accounts/cookie_scope.ts";
import { type Config, servesHttps } from "@/server/config/config.ts";

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

/** Sets a cookie that scripts cannot read and requests from other sites do not carry. */
export function writeCookie(headers: Headers, config: Config, name: string, value: string): void {
  setCookie(headers, {
    name: fullName(config, name),
    value,
    path: cookieScope(config.appUrl, servesHttps(config)).path,
    maxAge,
    httpOnly: true,
    sameSite: "Lax",
    secure: servesHttps(config),
  });
}

function fullName(config: Config, name: string): string {
  return `${cookieScope(config.appUrl, servesHttps(config)).namePrefix}_${name}`;
}
