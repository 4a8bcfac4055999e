import type { Connection, Ending } from "./connection.ts";
import type { LeaveReason } from "../events/leave_reason.ts";
import { closeCodes } from "../protocol/protocol.ts";

/** How connections are closed. */
export interface CloseOptions {
  /** A close code of the protocol; 4009, after which a client does not come back. */
  code?: number;
  reason?: string;
  /** Why the user leaves its presence channels. `removed`. */
  cause?: LeaveReason;
}

type Owned = Pick<Connection, "holder" | "user" | "subscriptions">;

/** Whether a connection is attributed to a user, signed in as it, or in a presence channel as it. */
export function belongsTo(userId: string, { holder, user, subscriptions }: Owned): boolean {
  return holder?.userId === userId || user?.id === userId ||
    subscriptions.values().some((subscription) => subscription.userId === userId);
}

/** Closes a connection whose time to join something is over. */
export function closeUnauthorized(connection: Connection): void {
  connection.fail(closeCodes.notAuthorized, "Nothing was joined in time");
}

/** Why the user of a connection leaves its channels, when the connection ended like this. */
export function leaveReason(ending: Ending): LeaveReason {
  if (ending === "timed out") return "timed_out";
  return ending === "closed" ? "closed" : "refused";
}
