import { guestCookie, newGuest } from "@/server/accounts/guest.ts";
import { define } from "./state.ts";
import { writeCookie } from "./cookies.ts";
import { isObserver } from "./observer.ts";
import { isWallboardRequest } from "@/server/wallboard/wallboard_request.ts";
import { guestVisitor, resolveVisitor } from "./visitor.ts";

/**
 * Sets the session and the visitor of a request; a wallboard has none. Where guests are admitted, a new
 * guest gets a signed cookie with its id.
 */
export const identifyVisitor = define.middleware(async (ctx) => {
  if (isWallboardRequest(ctx.req, ctx.url)) return await ctx.next();
  const { config, appSecret } = ctx.state;
  Object.assign(ctx.state, await resolveVisitor(ctx.state, ctx.req.headers));
  ctx.state.isObserver = isObserver(ctx.state, ctx.req.headers);
  const { session, isBlocked } = ctx.state;
  if (session || isBlocked || !config.admitGuests) return await ctx.next();
  const isKnown = ctx.state.visitor !== null;
  const visitor = ctx.state.visitor ??= guestVisitor(newGuest().id);
  const response = await ctx.next();
  if (!isKnown) writeCookie(response.headers, config, "guest", guestCookie(appSecret, visitor));
  return response;
});
