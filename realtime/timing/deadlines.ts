import { type Clock, systemClock } from "./clock.ts";

/**
 * Things that fall due the same time after they were added. However many there are, there is one
 * timer, and none when there is nothing to wait for.
 */
export class Deadlines<T> {
  readonly #dueAt = new Map<T, number>();
  #cancel: (() => void) | undefined;
  #held = false;

  constructor(
    /** A change holds for what is added from then on; a shorter time may begin late by the difference. */
    public afterMs: number,
    readonly due: (item: T) => void,
    readonly clock: Clock = systemClock,
  ) {}

  get size(): number {
    return this.#dueAt.size;
  }

  /** In how many milliseconds an item falls due; undefined for one that was not added. */
  remaining(item: T): number | undefined {
    const dueAt = this.#dueAt.get(item);
    return dueAt === undefined ? undefined : Math.max(0, dueAt - this.clock.now());
  }

  /** Falls due after the time; adding it again starts its time anew. */
  add(item: T): void {
    this.#dueAt.delete(item);
    this.#dueAt.set(item, this.clock.now() + this.afterMs);
    if (!this.#held) this.#cancel ??= this.clock.after(this.afterMs, () => this.#wake());
  }

  delete(item: T): void {
    if (this.#dueAt.delete(item) && this.#dueAt.size === 0) this.#sleep();
  }

  /** From now on nothing falls due. */
  hold(): void {
    this.#held = true;
    this.#sleep();
  }

  /** Forgets everything. */
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
