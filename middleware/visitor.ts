import { guestCookie, newGuest, readGuestCookie } from "../accounts/guest.ts";
import type { User } from "../accounts/accounts.ts";
import type { Visitor } from "../channels.ts";
import { isBlockedGuest } from "../people/blocked_guests.ts";
import { define, type State } from "../state.ts";
import { readCookie, writeCookie } from "../http/cookies.ts";
import { isOfWallboard } from "./wallboard.ts";

/** Who asks. */
export type Asker = Pick<State, "session" | "visitor" | "isBlocked">;

/**
 * Finds out who asks; a wallboard is nobody. Where guests are admitted, a newcomer gets the signed
 * cookie that names them.
 */
export const identifyVisitor = define.middleware(async (ctx) => {
  if (isOfWallboard(ctx.req, ctx.url)) return await ctx.next();
  const { config, appSecret } = ctx.state;
  Object.assign(ctx.state, await whoAsks(ctx.state, ctx.req.headers));
  const { session, isBlocked } = ctx.state;
  if (session || isBlocked || !config.admitGuests) return await ctx.next();
  const isKnown = ctx.state.visitor !== null;
  const visitor = ctx.state.visitor ??= guestVisitor(newGuest().id);
  const response = await ctx.next();
  if (!isKnown) writeCookie(response.headers, config, "guest", guestCookie(appSecret, visitor));
  return response;
});

/**
 * Who asks, by the cookies of a request. Whoever is blocked is nobody; without the cookie they are
 * newcomers, who cannot be told apart.
 */
export async function whoAsks(
  { accounts, config, appSecret, database }: State,
  headers: Headers,
): Promise<Asker> {
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

function guestVisitor(id: string): Visitor {
  return { id, kind: "guest", isAdmin: false };
}
