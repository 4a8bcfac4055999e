import { Listeners } from "./listeners.ts";

/** Listeners to what happens in single channels, by channel. */
export class ChannelListeners<Event> {
  readonly #byChannel = new Map<string, Listeners<[Event]>>();
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
  add(channel: string, listener: (event: Event) => void): () => void {
    const listeners = this.#byChannel.get(channel) ?? new Listeners(this.#failed);
    this.#byChannel.set(channel, listeners);
    const remove = listeners.add(listener);
    return () => {
      remove();
      const isLast = listeners.size === 0 && this.#byChannel.get(channel) === listeners;
      if (isLast) this.#byChannel.delete(channel);
    };
  }

  /** Calls the listeners of a channel. @param event is called only if there are any */
  emit(channel: string, event: () => Event): void {
    this.#byChannel.get(channel)?.emit(event());
  }
}
