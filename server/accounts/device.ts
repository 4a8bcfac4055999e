import { randomBytes } from "node:crypto";
import { sign } from "./signature.ts";
import { isSameText } from "@/realtime/protocol/constant_time.ts";

const purpose = "device";
const cookiePattern = /^([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{43})$/;

/**
 * A cookie value that shows that this browser has signed in to the account before: a random id, and its
 * signature for this account. It is no credential. Sign-ins with it have attempts of their own, so that
 * a stranger's guesses do not lock the account's owner out.
 */
export function newDevice(secret: string, account: string): string {
  const id = randomBytes(16).toString("base64url");
  return `${id}.${sign(secret, purpose, account, id)}`;
}

/** The id in a cookie value that {@link newDevice} made for this account; null for any other value. */
export function deviceIdOf(
  secret: string,
  account: string,
  value: string | undefined,
): string | null {
  const [, id, signature] = value?.match(cookiePattern) ?? [];
  if (id === undefined) return null;
  return isSameText(signature, sign(secret, purpose, account, id)) ? id : null;
}
