/** Functions that are called with each event. */
export class Listeners<Arguments extends readonly unknown[]> {
  readonly #listeners = new Set<(...event: Arguments) => void>();
  readonly #failed: (error: unknown) => void;

  /** @param failed receives what a listener throws, so that the code that emits never fails by it. */
  constructor(failed: (error: unknown) => void) {
    this.#failed = failed;
  }

  /** Adds a listener. @returns unsubscribe */
  add(listener: (...event: Arguments) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Calls every listener, in the order in which they were added. Never throws. */
  emit(...event: Arguments): void {
    for (const listener of this.#listeners) {
      try {
        listener(...event);
      } catch (error) {
        this.#failed(error);
      }
    }
  }
}
