import { randomBytes } from "node:crypto";
import { sign } from "./signature.ts";
import { isSameText } from "../realtime/protocol/constant_time.ts";

const purpose = "csrf";
const seedPattern = /^[A-Za-z0-9_-]{32}$/;

/**
 * A new seed for the CSRF tokens of one browser. Put it into a cookie with HttpOnly and SameSite=Lax,
 * and with `__Host-` before its name under https, so that no other site can set it.
 */
export function newCsrfSeed(): string {
  return randomBytes(24).toString("base64url");
}

/** Whether a cookie's value has the form of a seed; if not, the browser needs a new one. */
export function isCsrfSeed(value: string | undefined): value is string {
  return value !== undefined && seedPattern.test(value);
}

/**
 * The CSRF token for pages of the browser with this seed, in this session (null: signed out). It is
 * bound to both, so it changes at sign-in and sign-out. All pages in between have the same one, so that
 * several tabs work.
 */
export function csrfToken(secret: string, seed: string, sessionId: string | null): string {
  return sign(secret, purpose, seed, sessionId ?? "");
}

/** Whether a token is that of this seed and session, compared in constant time. */
export function isCsrfToken(
  secret: string,
  token: string | null | undefined,
  seed: string | undefined,
  sessionId: string | null,
): boolean {
  if (!token || !isCsrfSeed(seed)) return false;
  return isSameText(token, csrfToken(secret, seed, sessionId));
}
