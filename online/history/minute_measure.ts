import { type Interval, merged, startOfInterval } from "./interval.ts";

/** How many are online. */
export interface Counts {
  users: number;
  connections: number;
}

/** The length of the shortest intervals. */
export const minuteMs = 60_000;

/**
 * The process is asked for the time each minute at least. When it was not for so long, it did not run
 * (the machine slept, or its clock was set), and what was online in between is not known.
 */
export const longestSilenceMs = 2 * minuteMs;

/**
 * Turns changes of the counts into what was measured of each minute. A count holds from its change to
 * the next one; one that was replaced within the same millisecond was reached all the same.
 */
export class MinuteMeasure {
  #counts: Counts;
  /** Until when all is measured. */
  #until: number;
  #open: Interval | null = null;

  /** Begins to measure at a time, with these counts. */
  constructor(counts: Counts, at: number) {
    this.#counts = counts;
    this.#until = at;
    this.#note(at, 0);
  }

  /** What was measured of the minute that is not over. */
  get open(): Interval | null {
    return this.#open;
  }

  /** Measures until a time; answers what is finished, in order. */
  advance(at: number): Interval[] {
    if (Math.abs(at - this.#until) > longestSilenceMs) return this.#resume(at);
    const finished: Interval[] = [];
    while (this.#until < at) {
      const from = this.#until;
      const end = startOfInterval(from, minuteMs) + minuteMs;
      this.#until = Math.min(end, at);
      this.#note(from, this.#until - from);
      if (this.#until === end) finished.push(...this.#close());
    }
    return finished;
  }

  /** The counts changed at a time; answers what is finished, in order. */
  change(counts: Counts, at: number): Interval[] {
    const finished = this.advance(at);
    this.#counts = { users: counts.users, connections: counts.connections };
    this.#note(this.#until, 0);
    return finished;
  }

  /** Measures until a time, for the last time; answers what is finished and what was begun. */
  finish(at: number): Interval[] {
    return [...this.advance(at), ...this.#close()];
  }

  #resume(at: number): Interval[] {
    this.#until = at;
    return this.#close();
  }

  #close(): Interval[] {
    const finished = this.#open ? [this.#open] : [];
    this.#open = null;
    return finished;
  }

  #note(from: number, measuredMs: number): void {
    const { users, connections } = this.#counts;
    const noted: Interval = {
      startsAt: startOfInterval(from, minuteMs),
      mostUsers: users,
      mostUsersAt: from,
      fewestUsers: users,
      lastUsers: users,
      lastAt: from + measuredMs,
      mostConnections: connections,
      measuredMs,
    };
    this.#open = this.#open ? merged(minuteMs, this.#open, noted) : noted;
  }
}
