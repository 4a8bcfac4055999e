import type { Clock } from "../timing/clock.ts";

/** Up to this many subscribers or members, every change is sent at once. */
export const maxImmediate = 100;

/** What is sent to whom. */
export interface PacedCountsOptions<C> {
  /** A larger channel is sent its count at most once in this many milliseconds. */
  intervalMs(channel: C): number;
  /** The number of subscribers that are sent the count. */
  receivers(channel: C): number;
  /** What makes a channel large; default: the receivers. */
  size?(channel: C): number;
  send(channel: C): void;
  clock: Clock;
}

/** Some time after a count was sent, in which no other is. */
interface Interval {
  /** Whether the count changed in it. */
  isChanged: boolean;
  cancel(): void;
}

/**
 * Decides when subscribers of channels are sent a count: at once in small channels, in intervals in
 * large ones. The last value is always sent.
 */
export class PacedCounts<C> {
  readonly #intervals = new Map<C, Interval>();
  readonly #options: PacedCountsOptions<C>;

  constructor(options: PacedCountsOptions<C>) {
    this.#options = options;
  }

  /** The count of a channel changed. */
  changed(channel: C): void {
    const { receivers, send, size = receivers } = this.#options;
    const isReceived = receivers(channel) > 0;
    const interval = this.#intervals.get(channel);
    if (!isReceived || size(channel) <= maxImmediate) {
      this.delete(channel);
      if (isReceived) send(channel);
    } else if (interval) interval.isChanged = true;
    else this.#sendAndWait(channel);
  }

  #sendAndWait(channel: C): void {
    const { clock, intervalMs, send } = this.#options;
    const cancel = clock.after(intervalMs(channel), () => {
      const isChanged = this.#intervals.get(channel)?.isChanged;
      this.#intervals.delete(channel);
      if (isChanged) this.#sendAndWait(channel);
    });
    this.#intervals.set(channel, { isChanged: false, cancel });
    send(channel);
  }

  /** Ends the interval of a channel; nothing is sent. */
  delete(channel: C): void {
    this.#intervals.get(channel)?.cancel();
    this.#intervals.delete(channel);
  }

  /** The number of channels within their interval. */
  get size(): number {
    return this.#intervals.size;
  }

  /** Ends every interval; nothing is sent. */
  stop(): void {
    for (const { cancel } of this.#intervals.values()) cancel();
    this.#intervals.clear();
  }
}
