import { Buffer } from "node:buffer";
import { randomBytes } from "node:crypto";
import { sign } from "./digest.ts";
import { isSameText } from "@/realtime/protocol/signature.ts";

const purpose = "csrf";
const seedPattern = /^[A-Za-z0-9_-]{32}$/;

/** As long as a signature, in bytes. */
const maskLength = 32;

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
 * A CSRF token for a page of the browser with this seed, in this session (null: signed out). It is bound
 * to both, so it ends at sign-in and sign-out. All tokens of the time in between are valid, so that
 * several tabs work.
 *
 * No two are alike: each is a random mask, and what is signed under that mask. The size of a compressed
 * page would otherwise show, over many requests, what the token is (the BREACH attack).
 */
export function csrfToken(secret: string, seed: string, sessionId: string | null): string {
  const mask = randomBytes(maskLength);
  const signed = Buffer.from(signatureOf(secret, seed, sessionId), "base64url");
  return Buffer.concat([mask, exclusiveOr(mask, signed)]).toString("base64url");
}

/** Whether a token belongs to this seed and session, compared in constant time. */
export function isCsrfToken(
  secret: string,
  token: string | null | undefined,
  seed: string | undefined,
  sessionId: string | null,
): boolean {
  if (!token || !isCsrfSeed(seed)) return false;
  const signed = unmasked(token);
  return signed !== null && isSameText(signed, signatureOf(secret, seed, sessionId));
}

function signatureOf(secret: string, seed: string, sessionId: string | null): string {
  return sign(secret, purpose, seed, sessionId ?? "");
}

/** Null when it has not the form of a token. */
function unmasked(token: string): string | null {
  const bytes = Buffer.from(token, "base64url");
  if (bytes.length !== 2 * maskLength || bytes.toString("base64url") !== token) return null;
  const [mask, masked] = [bytes.subarray(0, maskLength), bytes.subarray(maskLength)];
  return exclusiveOr(mask, masked).toString("base64url");
}

function exclusiveOr(one: Uint8Array, other: Uint8Array): Buffer {
  return Buffer.from(one.map((byte, index) => byte ^ other[index]));
}

/** Where the cookies of an installation are sent, and how their names begin. */
interface CookieScope {
  path: string;
  namePrefix: string;
}

/**
 * The scope of an installation's cookies: its own path, and names that contain it, so that several
 * installations on one host do not read or overwrite each other's cookies, even one below another.
 *
 * Under https, names begin with `__Host-`, so that no neighbouring domain can set them (RFC 6265bis,
 * 4.1.3.2), or with `__Secure-` when the app is below a path, which `__Host-` does not allow.
 *
 * @param isSecure whether browsers reach the app by https.
 */
export function cookieScope({ pathname }: URL, isSecure: boolean): CookieScope {
  const basePath = pathname.replace(/\/$/, "");
  const protection = !isSecure ? "" : basePath === "" ? "__Host-" : "__Secure-";
  return {
    path: basePath || "/",
    namePrefix: `${protection}rollcall${basePath.replaceAll("/", ".")}`,
  };
}
