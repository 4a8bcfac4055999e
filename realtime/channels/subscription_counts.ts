import { type Clock } from "../timing/clock.ts";
import { Deadlines } from "../timing/deadlines.ts";

/** Up to so many subscribers every change is told at once. */
const atOnceUpTo = 100;

/** A larger channel is told of changes once in so many milliseconds. */
const pauseMs = 5_000;

/** What is counted. */
interface Counted {
  readonly subscribers: { readonly size: number };
}

/** Decides when a channel's subscribers are told how many they are. */
export class SubscriptionCounts<C extends Counted> {
  /** Channels that were told a short while ago, and whether they changed since. */
  readonly #changed = new Map<C, boolean>();
  readonly #pauses: Deadlines<C>;
  readonly #tell: (channel: C) => void;

  constructor(tell: (channel: C) => void, clock: Clock) {
    this.#tell = tell;
    this.#pauses = new Deadlines(pauseMs, (channel) => this.#pauseOver(channel), clock);
  }

  /** A subscriber joined or left. */
  changed(channel: C): void {
    const { size } = channel.subscribers;
    if (size <= atOnceUpTo) {
      this.#forget(channel);
      if (size > 0) this.#tell(channel);
    } else if (this.#changed.has(channel)) this.#changed.set(channel, true);
    else this.#tellAndPause(channel);
  }

  #tellAndPause(channel: C): void {
    this.#changed.set(channel, false);
    this.#pauses.add(channel);
    this.#tell(channel);
  }

  #pauseOver(channel: C): void {
    if (this.#changed.get(channel)) this.#tellAndPause(channel);
    else this.#changed.delete(channel);
  }

  #forget(channel: C): void {
    if (this.#changed.delete(channel)) this.#pauses.delete(channel);
  }

  /** How many channels have a pause. */
  get size(): number {
    return this.#changed.size;
  }

  /** Forgets every pause. */
  stop(): void {
    this.#changed.clear();
    this.#pauses.stop();
  }
}
