/** Functions that are called with each event. */
export class Listeners<Arguments extends readonly unknown[]> {
  /** A function that was added twice is called twice, and removed once by each unsubscribe. */
  readonly #listeners = new Set<{ readonly call: (...event: Arguments) => void }>();
  readonly #failed: (error: unknown) => void;

  /** @param failed receives what a listener throws, so that the code that emits never fails by it. */
  constructor(failed: (error: unknown) => void) {
    this.#failed = failed;
  }

  /** The number of listeners. */
  get size(): number {
    return this.#listeners.size;
  }

  /** Adds a listener. @returns unsubscribe */
  add(call: (...event: Arguments) => void): () => void {
    const listener = { call };
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Calls every listener, in the order in which they were added. Never throws. */
  emit(...event: Arguments): void {
    for (const { call } of this.#listeners) {
      try {
        call(...event);
      } catch (error) {
        this.#failed(error);
      }
    }
  }
}

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
