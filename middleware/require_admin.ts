import { HttpError } from "fresh";
import { href } from "../shared/address.ts";
import { define } from "../state.ts";
import { refuse, wantsJson } from "../http/refusal.ts";
import { signInPath } from "../http/sign_in_redirect.ts";

/**
 * Lets only admins pass. Without a session, a page redirects to sign-in and back, and a program gets
 * 403; users who are not admins get 403.
 *
 * @throws {HttpError} 403.
 */
export const requireAdmin = define.middleware(async (ctx) => {
  const { session } = ctx.state;
  if (!session) {
    if (wantsJson(ctx.req)) return refuse(403, "not_signed_in", "Sign in required.");
    return ctx.redirect(href(signInPath(ctx.url)), 303);
  }
  if (session.user.role !== "admin") throw new HttpError(403, "Only admins can view this page.");
  return await ctx.next();
});
