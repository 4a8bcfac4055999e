import { STATUS_CODE } from "@std/http/status";
import type { Context } from "fresh";
import type { Refusal } from "@/server/accounts/accounts.ts";
import { LinkMessage } from "@/components/accounts/LinkMessage.tsx";
import type { State } from "./state.ts";
import { refusalForProgram, refusedChange } from "./refused_change.ts";
import { refuse, wantsJson } from "./refusal.ts";

/**
 * Refuses the link of an invitation or of a new password in a browser that is signed in: it is for another
 * person, or would end the session that its reader sees.
 *
 * @returns null for a browser that is not signed in.
 */
export async function refuseWhileSignedIn(ctx: Context<State>): Promise<Response | null> {
  const { session, csrfToken } = ctx.state;
  if (!session) return null;
  const status = STATUS_CODE.Conflict;
  const title = `You're signed in as ${session.user.name}`;
  const text = "Sign out and open the link again to use it, or pass it on: it still works.";
  if (wantsJson(ctx.req)) return refuse(status, "signed_in", text);
  return await ctx.render(<LinkMessage title={title} text={text} signOut={csrfToken} />, {
    status,
  });
}

/** Refuses a link that does not work, or a client with too many wrong ones. */
export async function refuseLink(ctx: Context<State>, refusal: Refusal): Promise<Response> {
  const isUnknown = refusal.reason === "unknown_link";
  const title = isUnknown ? "This link no longer works" : "Too many attempts";
  const text = isUnknown
    ? "Each link works once, for 24 hours. Ask an admin for a new one."
    : refusal.message;
  return refusalForProgram(ctx.req, refusal) ??
    await ctx.render(<LinkMessage title={title} text={text} />, refusedChange(refusal));
}
