import { HttpError } from "fresh";
import { href, pathOf } from "../shared/address.ts";
import { define } from "../state.ts";
import { refuse, wantsJson } from "../http/refusal.ts";

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

/** What a guest reads whom an admin does not let in. */
export const blockedText =
  "An admin does not let you in as a guest. You can sign in with an account.";

/** The path of the sign-in page that leads back to `page` afterwards. */
export function signInPath(page: URL): string {
  return `/sign-in?return=${encodeURIComponent(pathOf(page) + page.search)}`;
}

/** The path to go to after sign-in: one of this app, whatever was asked for. */
export function returnAddress(asked: unknown): string {
  if (typeof asked !== "string" || !isOfThisHost(asked)) return "/";
  const base = "http://rollcall.invalid";
  const url = URL.parse(asked, base);
  // Without its dots, "/.//elsewhere" is another host's.
  return url?.origin === base && isOfThisHost(url.pathname) ? url.pathname + url.search : "/";
}

/** Whether it is a path, and nothing that browsers read as the name of another host. */
function isOfThisHost(path: string): boolean {
  return /^\/(?![/\\])/.test(path);
}
