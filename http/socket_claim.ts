import type { Context } from "fresh";
import { z } from "zod";
import type { State } from "./state.ts";
import { blockedText, refuse } from "./rejection.ts";
import type { Visitor } from "@/server/presence/channels.ts";
import { isNarrowed, limitsOf } from "@/shared/permissions.ts";
import { isSocketId } from "@/realtime/protocol/socket_id.ts";
import { type ResolvedVisitor, resolveVisitor } from "./visitor.ts";

/** The form of `socket_id` in a request to sign something for a socket. */
export const socketIdSchema = z.string().refine(isSocketId);

/** Refuses a request whose `socket_id` is malformed. */
export function refuseSocketId(): Response {
  const message = "socket_id must be two numbers joined by a dot, such as 123.456.";
  return refuse(422, "invalid_socket_id", message);
}

/**
 * Refuses a request without a visitor.
 *
 * @param message for visitors who are not signed in; the others are blocked guests.
 */
export function refuseWithoutVisitor(
  { isBlocked }: ResolvedVisitor,
  message: string,
): Response {
  return isBlocked
    ? refuse(403, "guest_blocked", blockedText())
    : refuse(403, "not_signed_in", message);
}

/** Refuses to sign for a socket of another visitor. */
export function refuseForeignSocket(): Response {
  const message = "This connection belongs to another session. Reload the page.";
  return refuse(403, "socket_of_another_visitor", message);
}

/** Refuses to sign for a socket of a server that cannot be asked; the page connects again. */
export function refuseUnreachableSocket(): Response {
  const message = "The server that has this connection did not answer. Connect again.";
  const response = refuse(503, "socket_unreachable", message);
  response.headers.set("retry-after", "1");
  return response;
}

/**
 * Claims a socket for the visitor, before something is signed for it. From then on the socket is closed
 * when the visitor is disconnected, disabled or signed out, whether it has used the signature or not.
 *
 * @returns the refusal when nothing may be signed; null when the socket is claimed.
 */
export async function claimSocketOrRefuse(
  ctx: Context<State>,
  socketId: string,
): Promise<Response | null> {
  const { allServers, visitor, session } = ctx.state;
  if (!visitor) return refuseForeignSocket();
  const owner = { userId: visitor.id, sessionId: session?.id };
  const claim = await allServers.claimSocket(socketId, owner);
  if (claim === "foreign") return refuseForeignSocket();
  if (claim === "unreachable") return refuseUnreachableSocket();
  // The visitor may have been disabled or blocked since the request began. A visitor for whom that
  // happened before this second look is refused here; after it, the claimed socket is closed.
  const now = await resolveVisitor(ctx.state, ctx.req.headers);
  if (visitor.kind === "guest" && !now.session && !now.isBlocked) return null;
  if (now.visitor && isAsBefore(visitor, now.visitor)) return null;
  return refuseWithoutVisitor(now, "Sign in again.");
}

function isAsBefore(before: Visitor, now: Visitor): boolean {
  return now.id === before.id && now.role === before.role &&
    !isNarrowed(limitsOf(before), limitsOf(now));
}
