import { randomBytes } from "node:crypto";
import { sign } from "./signature.ts";
import { isSameText } from "@/realtime/protocol/constant_time.ts";

const purpose = "guest";
const cookiePattern = /^(guest-[0-9a-f]{32})\.([A-Za-z0-9_-]{43})$/;

/** A visitor who is not signed in, identified by a cookie. */
export interface Guest {
  /** Opaque, not a secret: `guest-` and 32 hex digits, which no user's id can be. */
  id: string;
}

/** A new guest with a random id. */
export function newGuest(): Guest {
  return { id: `guest-${randomBytes(16).toString("hex")}` };
}

/** The cookie value that makes a browser this guest: the id and its signature. */
export function guestCookie(secret: string, guest: Guest): string {
  return `${guest.id}.${sign(secret, purpose, guest.id)}`;
}

/** The guest of a cookie value that {@link guestCookie} made with this secret; null for any other value. */
export function readGuestCookie(secret: string, value: string | undefined): Guest | null {
  const match = value?.match(cookiePattern);
  if (!match) return null;
  const [, id, signature] = match;
  return isSameText(signature, sign(secret, purpose, id)) ? { id } : null;
}
