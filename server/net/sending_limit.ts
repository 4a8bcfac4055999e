const windowMs = 60_000;

/** Keeps senders from flooding others. It keeps the senders of the last minute, and no more. */
export class SendingLimit {
  readonly #sent = new Map<string, number[]>();

  /** @param mostMessages messages that one sender has in a minute. */
  constructor(readonly mostMessages: number) {}

  /** The number of senders that it keeps. */
  get senders(): number {
    return this.#sent.size;
  }

  /**
   * Takes one of the messages that a sender has left.
   *
   * @param now in milliseconds.
   * @returns 0, or, when there is none left, in how many seconds there will be.
   */
  take(sender: string, now: number): number {
    for (const [other, times] of this.#sent) {
      if (times.at(-1)! <= now - windowMs) this.#sent.delete(other);
    }
    const times = (this.#sent.get(sender) ?? []).filter((time) => time > now - windowMs);
    if (times.length >= this.mostMessages) return Math.ceil((times[0] + windowMs - now) / 1_000);
    this.#sent.set(sender, [...times, now]);
    return 0;
  }
}
