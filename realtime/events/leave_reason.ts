/** The reasons for which a user leaves a presence channel: how the last of its connections left. */
export const leaveReasons = [
  /** The peer closed it, or its network did. */
  "closed",
  /** The peer gave no sign of life for the whole idle time. */
  "timed_out",
  /** The client left the channel and stayed connected. */
  "unsubscribed",
  /** The session ended in which the connection was signed for. */
  "signed_out",
  /** This server's own code had the user's connections closed. */
  "removed",
  /** The connection passed a limit or broke a rule. */
  "refused",
  /** The server stopped. */
  "server_restart",
] as const;

/** Why a user is in a presence channel no more. */
export type LeaveReason = typeof leaveReasons[number];
