import type { Clock } from "@/realtime/timing/clock.ts";

/** More callbacks in one advance come from timers that set each other without end. */
const mostCallbacks = 1_000_000;

/** A stopped clock, which a test advances. */
export class ManualClock implements Clock {
  /** How far the date is ahead of the time, in milliseconds: by as long as the machine was suspended. */
  dateAhead = 0;
  #now = 0;
  readonly #timers = new Set<{ at: number; callback: () => void }>();

  readonly now = (): number => this.#now;

  readonly date = (): number => this.#now + this.dateAhead;

  after(milliseconds: number, callback: () => void): () => void {
    const timer = { at: this.#now + milliseconds, callback };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** The number of callbacks that are due later. */
  get timers(): number {
    return this.#timers.size;
  }

  /**
   * Advances the time and calls back what falls due, in order.
   *
   * @throws {Error} when that does not end.
   */
  advance(milliseconds: number): void {
    const end = this.#now + milliseconds;
    for (let callbacks = 0;; callbacks++) {
      if (callbacks > mostCallbacks) throw new Error("Timers set each other without end");
      const [next] = [...this.#timers].sort((a, b) => a.at - b.at);
      if (!next || next.at > end) break;
      this.#now = Math.max(this.#now, next.at);
      this.#timers.delete(next);
      next.callback();
    }
    this.#now = end;
  }
}
