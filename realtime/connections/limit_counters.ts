/** The limits that a client or caller can exceed; metrics and logs use these names. */
const limitNames = [
  /** Open connections of the server. */
  "connections",
  /** Sockets of the server, those included that wait for their peers to close. */
  "sockets",
  "connectionsOfApp",
  "connectionsOfAddress",
  "subscriptionsOfConnection",
  /** Subscriptions of a connection over time. */
  "subscriptionBudget",
  /** Joins of presence channels by clients of an address that left one before. */
  "rejoinBudget",
  "channels",
  "publicChannels",
  "publicChannelsOfAddress",
  "members",
  /** Members that are not quiet. */
  "fullMembers",
  /** A member list that is too long to be sent. */
  "memberList",
  /** A member's `user_info`. */
  "memberBytes",
  "frameBytes",
  "eventBytes",
  "messagesPerSecond",
  "clientEventsPerSecond",
  /** Calls of the HTTP API. */
  "apiRequestsPerSecond",
  /** A connection was closed for the bytes that its peer has not read. */
  "unreadBytes",
  /** A connection was closed for the bytes that all peers together have not read. */
  "unreadBytesInTotal",
  /** A connection was closed for its errors. */
  "errors",
] as const;

/** The name of a limit. */
export type LimitName = typeof limitNames[number];

/** How often each limit was exceeded. */
export type LimitCounts = Record<LimitName, number>;

/** Counts what the server refused, by the limit that was exceeded. */
export class LimitCounters {
  readonly #counts = Object.fromEntries(limitNames.map((name) => [name, 0])) as LimitCounts;
  readonly #counted: (limit: LimitName, socketId: string | undefined) => void;

  /** @param counted is called after each refusal; without a socket id when it was no connection's. */
  constructor(counted: (limit: LimitName, socketId: string | undefined) => void) {
    this.#counted = counted;
  }

  /** Counts one refusal. */
  count(limit: LimitName, connection?: { readonly id: string }): void {
    this.#counts[limit]++;
    this.#counted(limit, connection?.id);
  }

  /** The counts since the start. */
  counts(): LimitCounts {
    return { ...this.#counts };
  }
}

/** The traffic of an app since its start. */
export interface Traffic {
  /** Frames that its clients sent, faulty ones included. */
  received: number;
  /** Frames that were handed to its connections' sockets. */
  sent: number;
  /** The text of the sent frames in UTF-8 bytes, without the overhead of WebSocket and TCP. */
  sentBytes: number;
}

/** A connection, as the counter sees it. */
interface Recipient {
  readonly sentFrames: number;
  readonly sentBytes: number;
}

/**
 * Counts the traffic of an app. Each connection counts what it is sent, beside the bytes that it has
 * to count anyway; these counts are added up only when they are read.
 */
export class TrafficCounter {
  /** Frames that clients sent since the start. */
  received = 0;
  #sentToReleased = 0;
  #bytesToReleased = 0;

  /** Adds the counts of a connection that was released. */
  released({ sentFrames, sentBytes }: Recipient): void {
    this.#sentToReleased += sentFrames;
    this.#bytesToReleased += sentBytes;
  }

  /** The traffic so far. @param open the connections that are not released. */
  total(open: Iterable<Recipient>): Traffic {
    let [sent, sentBytes] = [this.#sentToReleased, this.#bytesToReleased];
    for (const recipient of open) {
      sent += recipient.sentFrames;
      sentBytes += recipient.sentBytes;
    }
    return { received: this.received, sent, sentBytes };
  }
}
