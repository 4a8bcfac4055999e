/** The limits that a stranger may run into, each with a name to count by. */
const reasons = [
  /** Connections of the server. */
  "connections",
  /** Sockets of the server, those that wait for their peers to close included. */
  "sockets",
  "connectionsOfApp",
  "connectionsOfAddress",
  "subscriptionsOfConnection",
  "channels",
  "members",
  /** A member's `user_info`. */
  "memberBytes",
  "frameBytes",
  "eventBytes",
  "messagesPerSecond",
  "clientEventsPerSecond",
  /** Calls of the HTTP API. */
  "apiRequestsPerSecond",
  /** A connection was closed for what its peer left unread. */
  "unreadBytes",
  /** A connection was closed for what all peers together left unread. */
  "unreadBytesInTotal",
  /** A connection was closed for its errors. */
  "errors",
] as const;

/** Which limit was passed. */
export type LimitName = typeof reasons[number];

/** How often each limit was passed. */
export type RefusalCounts = Record<LimitName, number>;

/** Counts refusals by the limit that was passed. */
export class Refusals {
  readonly #counts = Object.fromEntries(reasons.map((name) => [name, 0])) as RefusalCounts;

  /** `noted` hears of each one, and whose connection it was, if it was one's. */
  constructor(readonly noted: (limit: LimitName, socketId: string | undefined) => void) {}

  count(limit: LimitName, connection?: { readonly id: string }): void {
    this.#counts[limit]++;
    this.noted(limit, connection?.id);
  }

  counts(): RefusalCounts {
    return { ...this.#counts };
  }
}
