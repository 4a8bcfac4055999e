import type { Context } from "fresh";
import type { State } from "../state.ts";
import { blockedText, refuse } from "./refusal.ts";
import { type Asker, whoAsks } from "./visitor.ts";

/** The refusal of a request without a visitor; `text` says what to sign in for. */
export function refuseNobody({ isBlocked }: Pick<Asker, "isBlocked">, text: string): Response {
  return isBlocked ? refuse(403, "guest_blocked", blockedText) : refuse(403, "not_signed_in", text);
}

/** The refusal of a request for another visitor's socket. */
export function refuseForeignSocket(): Response {
  const text = "This connection belongs to another visitor. Reload the page.";
  return refuse(403, "socket_of_another_visitor", text);
}

/**
 * Why nothing may be signed for a socket on behalf of the visitor, or null when it may; from then on
 * the socket is closed when the visitor is removed, disabled or signs out, whether it has used the
 * signature yet or not.
 */
export async function holdSocket(ctx: Context<State>, socketId: string): Promise<Response | null> {
  const { realtime, visitor, session } = ctx.state;
  if (!visitor || !realtime.attribute(socketId, { userId: visitor.id, sessionId: session?.id })) {
    return refuseForeignSocket();
  }
  // They may have been removed since it was found out who asks. The socket is theirs by now: whoever
  // is removed before this second look is refused, whoever is after it loses the socket.
  const now = await whoAsks(ctx.state, ctx.req.headers);
  if (visitor.kind === "guest" && !now.session && !now.isBlocked) return null;
  if (now.visitor?.id === visitor.id && now.visitor.isAdmin === visitor.isAdmin) return null;
  return refuseNobody(now, "Sign in again.");
}
