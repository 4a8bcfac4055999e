/** What went through an app since its start. */
export interface Traffic {
  /** Frames that its clients sent, good or bad. */
  received: number;
  /** Frames that were handed to its connections' sockets. */
  sent: number;
  /** Their text in UTF-8, without what WebSocket and TCP add. */
  sentBytes: number;
}

/** What a connection has been sent. */
interface Recipient {
  readonly sentFrames: number;
  readonly sentBytes: number;
}

/**
 * Counts what goes through an app. Every connection counts what it is sent, beside the bytes that it
 * has to count anyway; they are added up only when somebody asks.
 */
export class TrafficCounter {
  /** Frames that clients sent so far. */
  received = 0;
  #sentToReleased = 0;
  #bytesToReleased = 0;

  /** The connection is sent nothing any more. */
  released({ sentFrames, sentBytes }: Recipient): void {
    this.#sentToReleased += sentFrames;
    this.#bytesToReleased += sentBytes;
  }

  /** All that went through until now, with what the open connections were sent. */
  total(open: Iterable<Recipient>): Traffic {
    let [sent, sentBytes] = [this.#sentToReleased, this.#bytesToReleased];
    for (const recipient of open) {
      sent += recipient.sentFrames;
      sentBytes += recipient.sentBytes;
    }
    return { received: this.received, sent, sentBytes };
  }
}
