/** How much a stranger can make the server hold. */
export interface Limits {
  /** A client's frame, in bytes. */
  maxFrameBytes: number;
  /** What a client may leave unread, in bytes, beyond the largest member list it was sent. */
  maxBufferedBytes: number;
  /** What all clients together may leave unread, in bytes; those that leave most are closed. */
  maxTotalBufferedBytes: number;
  /** Channels of one connection. */
  maxSubscriptionsPerConnection: number;
  /** Open connections. */
  maxConnections: number;
  /**
   * Open connections of one remote address. 0: no limit, as all clients have the same address where
   * a proxy stands before the server that is not trusted.
   */
  maxConnectionsPerAddress: number;
  /** Channels that exist at once. */
  maxChannels: number;
  /** Errors of a connection within ten seconds; one more closes it. */
  maxErrors: number;
}

/** The limits unless set otherwise. */
export const defaultLimits: Limits = {
  maxFrameBytes: 16_384,
  maxBufferedBytes: 1_048_576,
  maxTotalBufferedBytes: 268_435_456,
  maxSubscriptionsPerConnection: 100,
  maxConnections: 50_000,
  maxConnectionsPerAddress: 0,
  maxChannels: 100_000,
  maxErrors: 50,
};
