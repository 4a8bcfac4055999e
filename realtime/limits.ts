/** How much untrusted clients can make the server keep. The limits of one app are in `AppRules`. */
export interface Limits {
  /** A client frame, in bytes. */
  maxFrameBytes: number;
  /**
   * What may wait for one client that takes nothing, in bytes, apart from member lists; a client that
   * exceeds it is closed with 4100.
   */
  maxBufferedBytes: number;
  /**
   * What may wait for all clients together that take nothing, in bytes; the clients for which most
   * waits are closed with 4100. Half of it is for member lists, which wait for each other.
   */
  maxTotalBufferedBytes: number;
  /** Channels of one connection. */
  maxSubscriptionsPerConnection: number;
  /** Open connections; further clients are closed with 4100 and retry. */
  maxConnections: number;
  /**
   * Open connections of one remote address. 0: no limit, because all clients share one address where
   * the server is behind a proxy that it does not trust.
   */
  maxConnectionsPerAddress: number;
  /** Channels that exist at once. */
  maxChannels: number;
  /** Errors of a connection within ten seconds; the next one closes it with 4009. */
  maxErrors: number;
}

/** The limits of a server that sets none. */
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
