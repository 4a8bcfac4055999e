/** The reasons for which a user leaves a presence channel: how the last of its connections left. */
export const leaveReasons = [
  /** The peer closed the connection, or its network did. */
  "closed",
  /** The peer gave no sign of life for the whole idle timeout. */
  "timed_out",
  /** The client unsubscribed and stayed connected. */
  "unsubscribed",
  /** The session ended in which the connection was signed for. */
  "signed_out",
  /** This server's own code closed the user's connections. */
  "removed",
  /** The connection exceeded a limit or broke a rule. */
  "refused",
  /** The server stopped. */
  "server_restart",
  /** The server of its last connection was lost. */
  "server_lost",
] as const;

/** Why a user left a presence channel. */
export type LeaveReason = typeof leaveReasons[number];

/** How a connection leaves its channels. */
export interface Departure {
  readonly reason: LeaveReason;
  /** Whether its user stays a member for the leave grace, and may return within it unnoticed. */
  readonly grace: boolean;
  /** Whether the app's own code asked for it: then its reason also holds while the server stops. */
  readonly isRequested?: boolean;
}

/** The departures that no code of the app asks for. */
export const departures = {
  closed: { grace: true, reason: "closed" },
  /** The peer was silent for the whole idle timeout, which is grace enough. */
  timedOut: { grace: false, reason: "timed_out" },
  unsubscribed: { grace: false, reason: "unsubscribed" },
  refused: { grace: true, reason: "refused" },
  /** However the connection ended: its client may return to the server's successor. */
  serverStopped: { grace: true, reason: "server_restart" },
} as const satisfies Record<string, Departure>;
