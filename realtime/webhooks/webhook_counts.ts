/** Why an event was not delivered. */
export type DropReason =
  /** The queue of its webhook was full. */
  | "queueFull"
  /** It could not be delivered in time, or the server was down for too long. */
  | "expired"
  /** Its webhook or its app is no longer configured. */
  | "notConfigured"
  /** The store lost it. */
  | "missing";

/** Counts the outcomes of webhooks since the start. */
export class WebhookCounts {
  /** Events whose receiver answered with a 2xx status. */
  delivered = 0;
  /** Requests that were answered with another status, or not answered. */
  failedAttempts = 0;
  /** Writes to the store that failed; they are repeated. */
  failedSaves = 0;
  readonly #dropped: Record<DropReason, number> = {
    queueFull: 0,
    expired: 0,
    notConfigured: 0,
    missing: 0,
  };

  /** Counts events that are lost. */
  drop(reason: DropReason, events: number): void {
    this.#dropped[reason] += events;
  }

  /** Events that are lost, by reason. */
  get dropped(): Record<DropReason, number> {
    return { ...this.#dropped };
  }
}
