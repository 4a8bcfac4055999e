import type { PresenceCounts } from "./presence_counts.ts";

/** Is called after every change of the counts, synchronously. */
export type PresenceListener = (counts: PresenceCounts) => void;

/** The listeners to presence channels, by channel. */
export class PresenceListeners {
  readonly #byChannel = new Map<string, Set<PresenceListener>>();
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
    const listeners = this.#byChannel.get(channel) ?? new Set();
    this.#byChannel.set(channel, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#byChannel.delete(channel);
    };
  }

  /** Calls the listeners of a channel. @param counts is called only if there are any */
  emit(channel: string, counts: () => PresenceCounts): void {
    const listeners = this.#byChannel.get(channel);
    if (!listeners) return;
    const now = counts();
    for (const listener of listeners) {
      try {
        listener(now);
      } catch (error) {
        this.#failed(error);
      }
    }
  }
}
