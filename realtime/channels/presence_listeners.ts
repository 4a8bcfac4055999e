import { Listeners } from "../events/listeners.ts";
import type { PresenceCounts } from "./presence_counts.ts";

/** Is called after every change of the counts, synchronously. */
export type PresenceListener = (counts: PresenceCounts) => void;

/** The listeners to presence channels, by channel. */
export class PresenceListeners {
  readonly #byChannel = new Map<string, Listeners<[PresenceCounts]>>();
  readonly #failed: (error: unknown) => void;

  /** @param failed receives what a listener throws, so that the code that emits never fails by it. */
  constructor(failed: (error: unknown) => void) {
    this.#failed = failed;
  }

  /** The number of channels with listeners. */
  get size(): number {
    return this.#byChannel.size;
  }

  /** Adds a listener. @returns unsubscribe */
  add(channel: string, listener: PresenceListener): () => void {
    const listeners = this.#byChannel.get(channel) ?? new Listeners(this.#failed);
    this.#byChannel.set(channel, listeners);
    const remove = listeners.add(listener);
    return () => {
      remove();
      const isLast = listeners.size === 0 && this.#byChannel.get(channel) === listeners;
      if (isLast) this.#byChannel.delete(channel);
    };
  }

  /** Calls the listeners of a channel. @param counts is called only if there are any */
  emit(channel: string, counts: () => PresenceCounts): void {
    this.#byChannel.get(channel)?.emit(counts());
  }
}
