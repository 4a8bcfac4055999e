import type { Context } from "fresh";
import { href } from "@/shared/address.ts";
import { define, type State } from "./state.ts";
import { refuse, wantsJson } from "./refusal.ts";
import { signInPath } from "./sign_in_redirect.ts";

/** Lets only signed-in users pass; see {@link askToSignIn}. */
export const requireSession = define.middleware((ctx) =>
  ctx.state.session ? ctx.next() : askToSignIn(ctx)
);

/** Redirects a page to sign-in and back; a program gets 403. */
export function askToSignIn(ctx: Context<State>): Response {
  if (wantsJson(ctx.req)) return refuse(403, "not_signed_in", "Sign in required.");
  return ctx.redirect(href(signInPath(ctx.url)), 303);
}
