import { type Clock, systemClock } from "./clock.ts";

/**
 * Items that fall due a fixed time after they were added. All of them share one timer, and there is
 * none while there is no item.
 */
export class Deadlines<T> {
  readonly #dueAt = new Map<T, number>();
  #cancel: (() => void) | undefined;
  #held = false;

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

  /** The milliseconds until an item falls due; undefined for one that was not added. */
  remaining(item: T): number | undefined {
    const dueAt = this.#dueAt.get(item);
    return dueAt === undefined ? undefined : Math.max(0, dueAt - this.clock.now());
  }

  /** Adds an item; adding it again restarts its time. */
  add(item: T): void {
    this.#dueAt.delete(item);
    this.#dueAt.set(item, this.clock.now() + this.afterMs);
    if (!this.#held) this.#cancel ??= this.clock.after(this.afterMs, () => this.#wake());
  }

  /** Removes an item: it does not fall due. */
  delete(item: T): void {
    if (this.#dueAt.delete(item) && this.#dueAt.size === 0) this.#sleep();
  }

  /** No item falls due any more; items are still added and deleted. */
  hold(): void {
    this.#held = true;
    this.#sleep();
  }

  /** Removes every item. */
  stop(): void {
    this.#dueAt.clear();
    this.#sleep();
  }

  #sleep(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #wake(): void {
    this.#cancel = undefined;
    for (const [item, dueAt] of this.#dueAt) {
      const wait = dueAt - this.clock.now();
      if (wait > 0) {
        this.#cancel ??= this.clock.after(wait, () => this.#wake());
        return;
      }
      this.#dueAt.delete(item);
      this.due(item);
    }
  }
}
