import type { LeaveReason } from "../events/leave_reason.ts";
import { type Close, closes } from "../protocol/close_codes.ts";
import type { Connection } from "./connection.ts";

/** How a server's own code closes connections. */
export interface CloseOptions {
  /** A close code of the protocol. Default 4009, after which a client does not connect again. */
  code?: number;
  /** The reason of the close frame, of at most 123 bytes. Default "Closed". */
  reason?: string;
  /** Why the user leaves its presence channels. Default `removed`. */
  cause?: LeaveReason;
}

/** The code and reason of a close, with their defaults. */
export function closeOf(
  { code = closes.closed.code, reason = closes.closed.reason }: CloseOptions,
): Close {
  return { code, reason };
}

/** Whether a user owns a connection, is signed in on it, or is in a channel through it, member or not. */
export function belongsTo(
  userId: string,
  { owner, user, subscriptions }: Pick<Connection, "owner" | "user" | "subscriptions">,
): boolean {
  return owner?.userId === userId || user?.id === userId ||
    subscriptions.values().some((subscription) =>
      subscription.userId === userId || subscription.observerId === userId
    );
}
