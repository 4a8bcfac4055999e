import type { State } from "../define.ts";

/** The refusal of a request for another visitor's socket. */
export const foreignSocket: [reason: string, message: string] = [
  "socket_of_another_visitor",
  "This connection is another visitor's. Load the page again.",
];

/**
 * Whether something may be signed for a socket on behalf of the visitor; from then on it is closed
 * when the visitor is disabled or signs out, whether it has used the signature yet or not.
 */
export function mayBeSigned({ realtime, visitor, session }: State, socketId: string): boolean {
  if (!visitor) return false;
  return realtime.attribute(socketId, { userId: visitor.id, sessionId: session?.id });
}
