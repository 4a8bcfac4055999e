/** The app of the servers. */
export const benchedApp = { id: "1", key: "key", secret: "secret" };

/** Of all keys in Redis. */
export const prefix = "bench:";

/** The presence channel that the servers follow. */
export const room = "presence-bench";

/** What a server measured since its last report; times are in milliseconds. */
export interface ServerReport {
  /** How long it took until the server knew the members of the room. */
  openMs?: number;
  /** The members, as the server knows them. */
  size: number;
  /** The longest tick of the event loop, in CPU time. */
  blockMs: number;
  /** The longest time without an answered heartbeat. */
  heartbeatGapMs: number;
  /** Since its start, how often its lease was lost, and how often it did not reach Redis. */
  leasesLost: number;
  outages: number;
}
