import type { Clock } from "../timing/clock.ts";
import { Deadlines } from "../timing/deadlines.ts";

/** Up to this many subscribers or members, every change is sent at once. */
export const maxImmediate = 100;

/** What is sent to whom. */
export interface PacedCountsOptions<C> {
  /** A larger channel is sent its count at most once in this many milliseconds. */
  intervalMs: number;
  /** The number of subscribers that are sent the count. */
  receivers(channel: C): number;
  /** What makes a channel large; default: the receivers. */
  size?(channel: C): number;
  send(channel: C): void;
  clock: Clock;
}

/**
 * Decides when subscribers of channels are sent a count: at once in small channels, in intervals in
 * large ones. The last value is always sent.
 */
export class PacedCounts<C> {
  /** Channels within their interval, and whether they changed in it. */
  readonly #changed = new Map<C, boolean>();
  readonly #intervals: Deadlines<C>;
  readonly #options: PacedCountsOptions<C>;

  constructor(options: PacedCountsOptions<C>) {
    const { clock, intervalMs } = this.#options = options;
    this.#intervals = new Deadlines(intervalMs, (channel) => this.#intervalOver(channel), clock);
  }

  /** The count of a channel changed. */
  changed(channel: C): void {
    const { receivers, send, size = receivers } = this.#options;
    const isReceived = receivers(channel) > 0;
    if (!isReceived || size(channel) <= maxImmediate) {
      this.delete(channel);
      if (isReceived) send(channel);
    } else if (this.#changed.has(channel)) this.#changed.set(channel, true);
    else this.#sendAndWait(channel);
  }

  #sendAndWait(channel: C): void {
    this.#changed.set(channel, false);
    this.#intervals.add(channel);
    this.#options.send(channel);
  }

  #intervalOver(channel: C): void {
    if (this.#changed.get(channel)) this.#sendAndWait(channel);
    else this.#changed.delete(channel);
  }

  /** Ends the interval of a channel; nothing is sent. */
  delete(channel: C): void {
    if (this.#changed.delete(channel)) this.#intervals.delete(channel);
  }

  /** The number of channels within their interval. */
  get size(): number {
    return this.#changed.size;
  }

  /** Ends every interval; nothing is sent. */
  stop(): void {
    this.#changed.clear();
    this.#intervals.stop();
  }
}
