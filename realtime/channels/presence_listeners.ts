import type { PresenceCounts } from "./presence_counts.ts";

/** Is called after every change of the counts. */
export type PresenceListener = (counts: PresenceCounts) => void;

/** Who wants to hear of which presence channel. */
export class PresenceListeners {
  readonly #byChannel = new Map<string, Set<PresenceListener>>();

  /** `failed` hears what a listener threw: it is no fault of the connection that caused the change. */
  constructor(readonly failed: (error: unknown) => void) {}

  get size(): number {
    return this.#byChannel.size;
  }

  /** Adds a listener; the answer takes it away. */
  add(channel: string, listener: PresenceListener): () => void {
    const listeners = this.#byChannel.get(channel) ?? new Set();
    this.#byChannel.set(channel, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#byChannel.delete(channel);
    };
  }

  /** Tells the listeners of a channel; counts are taken only if there are any. */
  tell(channel: string, counts: () => PresenceCounts): void {
    const listeners = this.#byChannel.get(channel);
    if (!listeners) return;
    const now = counts();
    for (const listener of listeners) {
      try {
        listener(now);
      } catch (error) {
        this.failed(error);
      }
    }
  }
}
