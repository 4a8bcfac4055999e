import type { Clock } from "../timing/clock.ts";
import { Deadlines } from "../timing/deadlines.ts";

/** Up to this many subscribers, every change is sent at once. */
const maxImmediate = 100;

/** A larger channel is sent its count at most once in this many milliseconds (Pusher: 5 s). */
const intervalMs = 5_000;

/** A channel, as the counts see it. */
interface Counted {
  readonly subscribers: { readonly size: number };
}

/** Decides when a channel's subscribers are sent their number. */
export class SubscriptionCounts<C extends Counted> {
  /** Channels within their interval, and whether they changed in it. */
  readonly #changed = new Map<C, boolean>();
  readonly #intervals: Deadlines<C>;
  readonly #send: (channel: C) => void;

  constructor(send: (channel: C) => void, clock: Clock) {
    this.#send = send;
    this.#intervals = new Deadlines(intervalMs, (channel) => this.#intervalOver(channel), clock);
  }

  /** A subscriber joined or left. */
  changed(channel: C): void {
    const { size } = channel.subscribers;
    if (size <= maxImmediate) {
      this.#endInterval(channel);
      if (size > 0) this.#send(channel);
    } else if (this.#changed.has(channel)) this.#changed.set(channel, true);
    else this.#sendAndWait(channel);
  }

  #sendAndWait(channel: C): void {
    this.#changed.set(channel, false);
    this.#intervals.add(channel);
    this.#send(channel);
  }

  #intervalOver(channel: C): void {
    if (this.#changed.get(channel)) this.#sendAndWait(channel);
    else this.#changed.delete(channel);
  }

  #endInterval(channel: C): void {
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
