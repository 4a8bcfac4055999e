import { z } from "zod";
import { leaveReasons } from "../../events/leave_reason.ts";
import { maxUserIdLength } from "../../protocol/users.ts";
import { order } from "./kinds.ts";

const app = z.string().max(300);
const channel = z.string().max(300);
const userId = z.string().max(maxUserIdLength);

const options = z.object({
  code: z.int().min(1_000).max(4_999).optional(),
  /** A longer one is left out of the close frame, and reaches the client in the error before it. */
  reason: z.string().max(1_000).optional(),
  /** One that only a later release knows is as if the server had removed the user. */
  cause: z.enum(leaveReasons).optional().catch("removed"),
});

const remembered = { isRemembered: true };

/** See `AppConnections.closeUser`. */
const closeUserOrder = order(
  "closeUser",
  z.object({ app, userId, options }),
  remembered,
);

/** See `AppConnections.closeSession`. */
const closeSessionOrder = order(
  "closeSession",
  z.object({ app, sessionId: z.string().max(200), options }),
  remembered,
);

/** See `AppConnections.terminateUser`. */
const terminateUserOrder = order("terminateUser", z.object({ app, userId }), remembered);

/** See `AppConnections.reconnectUser`. */
const reconnectUserOrder = order("reconnectUser", z.object({ app, userId }), remembered);

/** See `AppConnections.reconnectPages`. */
const reconnectPagesOrder = order(
  "reconnectPages",
  z.object({ app, channel, isQuiet: z.boolean(), alsoIn: channel.optional() }),
);

/** The kinds of the orders of an app. */
export const appOrderKinds = {
  closeUser: closeUserOrder,
  closeSession: closeSessionOrder,
  terminateUser: terminateUserOrder,
  reconnectUser: reconnectUserOrder,
  reconnectPages: reconnectPagesOrder,
};

/** Something that all servers keep in memory was changed: read it again. */
export const changedOrder = order(
  "changed",
  z.object({ what: z.string().max(64), id: z.string().max(200).optional() }),
  { isResent: true },
);
