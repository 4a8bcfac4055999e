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
