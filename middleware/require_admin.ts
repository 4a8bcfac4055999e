import { HttpError } from "fresh";
import { href } from "../shared/address.ts";
import { define } from "../state.ts";
import { refuse, wantsJson } from "../http/refusal.ts";
import { signInPath } from "../http/sign_in_redirect.ts";

/**
 * Lets admins pass. Whoever is not signed in is sent to the sign-in page and back; other users
 * get 403.
 *
 * @throws {HttpError} 403.
 */
export const requireAdmin = define.middleware(async (ctx) => {
  const { session } = ctx.state;
  if (!session) {
    if (wantsJson(ctx.req)) return refuse(403, "not_signed_in", "Sign in first.");
    return ctx.redirect(href(signInPath(ctx.url)), 303);
  }
  if (session.user.role !== "admin") throw new HttpError(403, "This page is for admins.");
  return await ctx.next();
});
