/** The limits that a stranger may run into, each with a name to count by. */
const reasons = [
  /** Connections of the server. */
  "connections",
  "connectionsOfApp",
  "connectionsOfAddress",
  "subscriptionsOfConnection",
  "channels",
  "members",
  "frameBytes",
  "eventBytes",
  "messagesPerSecond",
  "clientEventsPerSecond",
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
  /** `noted` hears of each one, and whose connection it was. */
  constructor(readonly noted: (limit: LimitName, socketId: string) => void = () => {}) {}

  readonly #counts = Object.fromEntries(reasons.map((name) => [name, 0])) as RefusalCounts;

  count(limit: LimitName, { id }: { readonly id: string }): void {
    this.#counts[limit]++;
    this.noted(limit, id);
  }

  counts(): RefusalCounts {
    return { ...this.#counts };
  }
}
