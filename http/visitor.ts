import type { User } from "../accounts/accounts.ts";
import { isBlockedGuest } from "../accounts/blocked_guests.ts";
import { readGuestCookie } from "../accounts/guest.ts";
import type { Visitor } from "../channels.ts";
import type { State } from "../state.ts";
import { readCookie } from "./cookies.ts";

/** Who asks. */
export type ResolvedVisitor = Pick<State, "session" | "visitor" | "isBlocked">;

/**
 * Who asks, by the cookies of a request. Whoever is blocked is nobody; without the cookie they are
 * newcomers, who cannot be told apart.
 */
export async function resolveVisitor(
  { accounts, config, appSecret, database }: State,
  headers: Headers,
): Promise<ResolvedVisitor> {
  const session = await accounts.session(headers);
  if (session) return { session, visitor: userVisitor(session.user), isBlocked: false };
  const guest = config.admitGuests
    ? readGuestCookie(appSecret, readCookie(headers, config, "guest"))
    : null;
  const isBlocked = guest !== null && await isBlockedGuest(database, guest.id);
  return { session, visitor: guest && !isBlocked ? guestVisitor(guest.id) : null, isBlocked };
}

function userVisitor({ id, role }: User): Visitor {
  return { id, kind: "user", isAdmin: role === "admin" };
}

export function guestVisitor(id: string): Visitor {
  return { id, kind: "guest", isAdmin: false };
}
