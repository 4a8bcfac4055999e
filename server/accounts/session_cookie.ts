import { createHmac } from "node:crypto";
import { isSameText } from "@/realtime/protocol/signature.ts";

/** The signature of a session's token: HMAC-SHA-256 in base64, which better-auth appends after a dot. */
const cookiePattern = /^([A-Za-z0-9]{32})\.([A-Za-z0-9+/]{43}=)$/;

/**
 * Whether a request has a session cookie that this installation signed. It takes no look at the database, so
 * the session may have ended: use it to choose what to work on first, never to admit.
 *
 * @param secret what signs the cookies of sessions.
 * @param namePrefix how the names of this installation's cookies begin.
 */
export function hasSignedSession(secret: string, namePrefix: string, headers: Headers): boolean {
  const start = `${namePrefix}.session_token=`;
  const pairs = headers.get("cookie")?.split(";").map((pair) => pair.trim()) ?? [];
  return pairs.some((pair) => pair.startsWith(start) && isSigned(secret, pair.slice(start.length)));
}

function isSigned(secret: string, value: string): boolean {
  const [, token, signature] = decoded(value).match(cookiePattern) ?? [];
  if (token === undefined) return false;
  return isSameText(signature, createHmac("sha256", secret).update(token).digest("base64"));
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return "";
  }
}
