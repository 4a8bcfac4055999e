import { randomBytes } from "node:crypto";
import { sign } from "./signature.ts";
import { isSameText } from "../realtime/protocol/constant_time.ts";

const purpose = "guest";
const cookiePattern = /^(guest-[0-9a-f]{32})\.([A-Za-z0-9_-]{43})$/;

/** Someone who is not signed in, told apart from others by a cookie. */
export interface Guest {
  /** Opaque and fit for everyone's eyes: `guest-` and 32 hex digits, which no user's id can be. */
  id: string;
}

/** A guest nobody has been before. */
export function newGuest(): Guest {
  return { id: `guest-${randomBytes(16).toString("hex")}` };
}

/** The cookie value that makes a browser this guest: the id and its signature. */
export function guestCookie(secret: string, guest: Guest): string {
  return `${guest.id}.${sign(secret, purpose, guest.id)}`;
}

/** The guest of a cookie value that `guestCookie` made with this secret; null for any other. */
export function readGuestCookie(secret: string, value: string | undefined): Guest | null {
  const match = value?.match(cookiePattern);
  if (!match) return null;
  const [, id, signature] = match;
  return isSameText(signature, sign(secret, purpose, id)) ? { id } : null;
}
