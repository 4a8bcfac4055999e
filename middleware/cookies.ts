import { getCookies, setCookie } from "@std/http/cookie";
import type { Config } from "../config.ts";
import { servesHttps } from "../services.ts";

/** How long browsers keep the cookies of visitors who are not signed in, in seconds: a year. */
const maxAge = 365 * 24 * 60 * 60;

/** The browser's cookie of this name; undefined when it sent none. */
export function readCookie(headers: Headers, config: Config, name: string): string | undefined {
  return getCookies(headers)[fullName(config, name)];
}

/**
 * Sets a cookie that scripts cannot read and other sites do not send. Under https its name begins
 * with `__Host-`, so that no neighbouring domain can set it (RFC 6265bis, 4.1.3.2).
 */
export function writeCookie(headers: Headers, config: Config, name: string, value: string): void {
  setCookie(headers, {
    name: fullName(config, name),
    value,
    path: "/",
    maxAge,
    httpOnly: true,
    sameSite: "Lax",
    secure: servesHttps(config),
  });
}

function fullName(config: Config, name: string): string {
  return servesHttps(config) ? `__Host-rollcall_${name}` : `rollcall_${name}`;
}
