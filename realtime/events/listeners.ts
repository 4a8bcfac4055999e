/** Passes on what is said to whoever listens. */
export class Listeners<Said extends readonly unknown[]> {
  readonly #listeners = new Set<(...said: Said) => void>();

  /** `failed` hears what a listener threw: it is no fault of whoever caused the call. */
  constructor(readonly failed: (error: unknown) => void) {}

  /** Adds a listener; the answer takes it away. */
  listen(listener: (...said: Said) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  tell(...said: Said): void {
    for (const listener of this.#listeners) {
      try {
        listener(...said);
      } catch (error) {
        this.failed(error);
      }
    }
  }
}
