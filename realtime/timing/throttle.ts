/**
 * What is published after changes: a live number, or who joined. Many changes become one publication,
 * so that its cost does not grow with them.
 *
 * @module
 */
import type { Clock } from "./clock.ts";

/** What a {@link Throttle} publishes. */
export interface Throttled {
  /** Whether there is anyone to publish to; else no work is done. */
  isWatched(): boolean;
  /** Is called instead of publishing while no one watches. */
  unwatched?(): void;
  /** Publishes the state of now. The next one waits until a promise is settled. */
  publish(): void | Promise<unknown>;
  /** It could not be published. Later changes are. */
  failed(error: unknown): void;
}

/**
 * Publishes after changes, at most once in some time and always the last state: the first change of a calm
 * time at once, later ones together.
 */
export class Throttle {
  readonly #clock: Clock;
  readonly #everyMs: number;
  readonly #throttled: Throttled;
  /** By the clock; infinite while nothing is to be published. */
  #dueAt = Infinity;
  /** Before this time nothing is published. */
  #nextAt = -Infinity;
  #cancel = () => {};
  #isPublishing = false;
  #isStopped = false;

  /** @param everyMs the least time between two publications, in milliseconds. */
  constructor(clock: Clock, everyMs: number, throttled: Throttled) {
    this.#clock = clock;
    this.#everyMs = everyMs;
    this.#throttled = throttled;
  }

  /** Whether {@link stop} was called. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** There is something to publish. @param inMs when at the earliest, from now; others may make it earlier */
  changed(inMs = 0): void {
    if (this.#isStopped) return;
    const at = Math.max(this.#clock.now() + inMs, this.#nextAt);
    if (this.#dueAt <= at) return;
    if (!this.#throttled.isWatched()) return this.#skip();
    this.#dueAt = at;
    this.#wait();
  }

  /** What changes from now on is published after so many milliseconds at the earliest. */
  pause(milliseconds: number): void {
    this.#nextAt = Math.max(this.#nextAt, this.#clock.now() + milliseconds);
  }

  /** Publishes nothing until the next change. */
  rest(): void {
    this.#dueAt = Infinity;
    this.#cancel();
  }

  /** Publishes nothing more. */
  stop(): void {
    this.#isStopped = true;
    this.rest();
  }

  #skip(): void {
    this.rest();
    this.#throttled.unwatched?.();
  }

  #wait(): void {
    this.#cancel();
    if (this.#isPublishing || this.#dueAt === Infinity) return;
    // Timers count whole milliseconds, and would come too early without their fraction.
    const wait = Math.ceil(Math.max(0, this.#dueAt - this.#clock.now()));
    this.#cancel = this.#clock.after(wait, () => void this.#publish());
  }

  async #publish(): Promise<void> {
    if (!this.#throttled.isWatched()) return this.#skip();
    this.#dueAt = Infinity;
    this.#nextAt = this.#clock.now() + this.#everyMs;
    try {
      const work = this.#throttled.publish();
      if (!work) return;
      this.#isPublishing = true;
      await work;
    } catch (error) {
      this.#throttled.failed(error);
    } finally {
      if (this.#isPublishing) {
        this.#isPublishing = false;
        // What fell due meanwhile is published now.
        this.#wait();
      }
    }
  }
}
