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
