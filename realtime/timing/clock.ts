/** The time and its timers; tests pass a clock of their own. */
export interface Clock {
  /** Milliseconds since an arbitrary moment; only differences mean anything. Never runs backwards. */
  now(): number;
  /** The date, in milliseconds since 1970; it may be set back. */
  date(): number;
  /** Calls back after a number of milliseconds. @returns cancel */
  after(milliseconds: number, callback: () => void): () => void;
}

/** The clock of the machine. */
export const systemClock: Clock = {
  now: () => performance.now(),
  date: () => Date.now(),
  after(milliseconds, callback) {
    const timer = setTimeout(callback, milliseconds);
    return () => clearTimeout(timer);
  },
};

/**
 * Items that fall due a fixed time after they were added. All of them share one timer, and there is
 * none while there is no item.
 */
export class Deadlines<T> {
  /** In the order in which they fall due. */
  readonly #dueAt = new Map<T, number>();
  #cancel: (() => void) | undefined;
  #isPaused = false;

  constructor(
    /** Milliseconds. A change applies to later items; a shorter time may start late by the difference. */
    public afterMs: number,
    readonly due: (item: T) => void,
    readonly clock: Clock = systemClock,
  ) {}

  /** The number of items that have not fallen due. */
  get size(): number {
    return this.#dueAt.size;
  }

  /** The items that have not fallen due. */
  items(): Iterable<T> {
    return this.#dueAt.keys();
  }

  /** Whether {@link pause} was called. */
  get isPaused(): boolean {
    return this.#isPaused;
  }

  /** The milliseconds until an item falls due; undefined for one that was not added. */
  remaining(item: T): number | undefined {
    const dueAt = this.#dueAt.get(item);
    return dueAt === undefined ? undefined : Math.max(0, dueAt - this.clock.now());
  }

  /** Adds an item; adding it again restarts its time. */
  add(item: T): void {
    this.#dueAt.delete(item);
    this.#dueAt.set(item, this.clock.now() + this.afterMs);
    this.#schedule();
  }

  /** Removes an item: it does not fall due. */
  delete(item: T): void {
    if (this.#dueAt.delete(item) && this.#dueAt.size === 0) this.#sleep();
  }

  /** Items no longer fall due, but are still added and deleted. */
  pause(): void {
    this.#isPaused = true;
    this.#sleep();
  }

  /** Removes every item. */
  stop(): void {
    this.#dueAt.clear();
    this.#sleep();
  }

  /** Starts the timer for the first item, which may not be the one that was added last. */
  #schedule(): void {
    if (this.#cancel || this.#isPaused) return;
    for (const dueAt of this.#dueAt.values()) {
      // Timers count whole milliseconds, and would come too early without their fraction.
      const wait = Math.max(0, Math.ceil(dueAt - this.clock.now()));
      this.#cancel = this.clock.after(wait, () => this.#wake());
      return;
    }
  }

  #sleep(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #wake(): void {
    this.#cancel = undefined;
    try {
      for (const [item, dueAt] of this.#dueAt) {
        if (this.#isPaused || dueAt > this.clock.now()) break;
        this.#dueAt.delete(item);
        this.due(item);
      }
    } finally {
      this.#schedule();
    }
  }
}
