import type { User } from "@/server/accounts/accounts.ts";
import { isBlockedGuest, readGuestCookie } from "@/server/accounts/guest.ts";
import type { Visitor } from "@/server/presence/channels.ts";
import type { State } from "./state.ts";
import { readCookie } from "./session_cookies.ts";

/** What the cookies of a request say of its sender. */
export type ResolvedVisitor = Pick<State, "session" | "visitor" | "isBlocked">;

/**
 * Finds the visitor of a request by its cookies. A blocked guest is no visitor; without the guest cookie
 * the browser is a new guest.
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

function userVisitor({ id, role, limits }: User): Visitor {
  return { id, kind: "user", role, limits };
}

/** The visitor that a guest is. */
export function guestVisitor(id: string): Visitor {
  return { id, kind: "guest", role: null, limits: null };
}
