import { type Guest, guestCookie, newGuest, readGuestCookie } from "../accounts/guest.ts";
import type { User } from "../accounts/accounts.ts";
import type { Visitor } from "../channels.ts";
import { isBlockedGuest } from "../records/blocked_guests.ts";
import { define } from "../define.ts";
import { readCookie, writeCookie } from "./cookies.ts";
import { isOfWallboard } from "./wallboard.ts";

/**
 * Finds out who asks; a wallboard is nobody. Where guests are admitted, a newcomer gets the signed
 * cookie that names them. Whoever is blocked is nobody; without the cookie they are newcomers, who
 * cannot be told apart.
 */
export const identifyVisitor = define.middleware(async (ctx) => {
  if (isOfWallboard(ctx.req, ctx.url)) return await ctx.next();
  const { accounts, config, appSecret, database } = ctx.state;
  ctx.state.session = await accounts.session(ctx.req.headers);
  const user = ctx.state.session?.user;
  if (user || !config.admitGuests) {
    ctx.state.visitor = user ? visitorOf(user) : null;
    return await ctx.next();
  }
  const known = readGuestCookie(appSecret, readCookie(ctx.req.headers, config, "guest"));
  const guest: Guest = known ?? newGuest();
  ctx.state.isBlocked = known !== null && await isBlockedGuest(database, guest.id);
  if (ctx.state.isBlocked) return await ctx.next();
  ctx.state.visitor = { id: guest.id, kind: "guest", isAdmin: false };
  const response = await ctx.next();
  if (!known) writeCookie(response.headers, config, "guest", guestCookie(appSecret, guest));
  return response;
});

function visitorOf({ id, role }: User): Visitor {
  return { id, kind: "user", isAdmin: role === "admin" };
}
