import { type Interval, merged, startOfInterval } from "./interval.ts";

/** How many users and connections are online. */
export interface Counts {
  users: number;
  connections: number;
}

/** The length of the shortest intervals. */
export const minuteMs = 60_000;

/**
 * The recorder measures at least once a minute. After a longer silence the process did not run (the
 * machine slept, or its clock was set), and who was online in between is not known.
 */
export const longestSilenceMs = 2 * minuteMs;

/**
 * Turns changes of the counts into measured minutes. A count holds from its change to the next one; a
 * count that is replaced within the same millisecond still counts as a maximum or minimum.
 */
export class MinuteMeasure {
  #counts: Counts;
  /** The end of what is measured. */
  #until: number;
  #open: Interval | null = null;

  /** Starts measuring at a time, with these counts. */
  constructor(counts: Counts, at: number) {
    this.#counts = counts;
    this.#until = at;
    this.#add(at, 0);
  }

  /** What was measured of the minute that is not over yet. */
  get open(): Interval | null {
    return this.#open;
  }

  /** Measures up to a time. @returns the finished minutes, in order. */
  advance(at: number): Interval[] {
    if (Math.abs(at - this.#until) > longestSilenceMs) return this.#resume(at);
    const finished: Interval[] = [];
    while (this.#until < at) {
      const from = this.#until;
      const end = startOfInterval(from, minuteMs) + minuteMs;
      this.#until = Math.min(end, at);
      this.#add(from, this.#until - from);
      if (this.#until === end) finished.push(...this.#close());
    }
    return finished;
  }

  /** Takes counts that changed at a time. @returns the finished minutes, in order. */
  change(counts: Counts, at: number): Interval[] {
    const finished = this.advance(at);
    this.#counts = { users: counts.users, connections: counts.connections };
    this.#add(this.#until, 0);
    return finished;
  }

  /** Measures up to a time, for the last time. @returns the finished minutes and the unfinished one. */
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

  #add(from: number, measuredMs: number): void {
    const { users, connections } = this.#counts;
    const measured: Interval = {
      startsAt: startOfInterval(from, minuteMs),
      mostUsers: users,
      mostUsersAt: from,
      fewestUsers: users,
      lastUsers: users,
      lastAt: from + measuredMs,
      mostConnections: connections,
      measuredMs,
    };
    this.#open = this.#open ? merged(minuteMs, this.#open, measured) : measured;
  }
}
