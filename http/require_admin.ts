import { HttpError } from "fresh";
import { define } from "./state.ts";
import { askToSignIn } from "./require_session.ts";

/**
 * Lets only admins pass. Without a session, see {@link askToSignIn}; users who are not admins get 403.
 *
 * @throws {HttpError} 403.
 */
export const requireAdmin = define.middleware(async (ctx) => {
  const { session } = ctx.state;
  if (!session) return askToSignIn(ctx);
  if (session.user.role !== "admin") throw new HttpError(403, "Only admins can view this page.");
  return await ctx.next();
});
