import type { Clock } from "@/realtime/timing/clock.ts";
import type { Census } from "./census.ts";

/** For how long a census is used, at least, in milliseconds. */
const leastAgeMs = 1_000;

/** A census that takes long is used for longer: counting takes at most this part of the time. */
const mostOfTheTime = 1 / 10;

/** When a census that no page asked for again is dropped, in milliseconds. */
const keptMs = 10_000;

/**
 * Counts when a page asks, and at most once a second however many ask. While no page asks it does
 * nothing and keeps nothing.
 */
export class CensusCache {
  readonly #take: () => Promise<Census>;
  readonly #clock: Clock;
  #last: { census: Promise<Census>; until: number } | undefined;
  #cancel: (() => void) | undefined;

  constructor(take: () => Promise<Census>, clock: Clock) {
    this.#take = take;
    this.#clock = clock;
  }

  /** The latest census. */
  read(): Promise<Census> {
    const start = this.#clock.now();
    if (this.#last && start < this.#last.until) return this.#last.census;
    const last = this.#last = { census: this.#take(), until: Infinity };
    last.census.then(() => {
      const end = this.#clock.now();
      last.until = end + Math.max(leastAgeMs, (end - start) / mostOfTheTime);
    }, () => this.forget());
    this.#cancel?.();
    this.#cancel = this.#clock.after(keptMs, () => this.forget());
    return last.census;
  }

  /** The next reader gets a new census; call it when the apps changed. */
  forget(): void {
    this.#cancel?.();
    this.#cancel = this.#last = undefined;
  }
}
