/** What was measured of the number of users online within one interval of time. */
export interface Interval {
  /** In ms since 1970, a multiple of the interval's length. */
  startsAt: number;
  mostUsers: number;
  /** When that number was first reached. */
  mostUsersAt: number;
  /** How many of them were guests at that time; absent where it is not known. */
  guestsAtMost?: number;
  fewestUsers: number;
  lastUsers: number;
  /** The end of what was measured. */
  lastAt: number;
  mostConnections: number;
  /** How much of the interval was measured: the server did not run in the rest. */
  measuredMs: number;
  /** How many users were active at most; absent where no tab reported it. */
  mostActive?: number;
}

/** The start of the interval of this length that contains a time. */
export function startOfInterval(at: number, intervalMs: number): number {
  return Math.floor(at / intervalMs) * intervalMs;
}

/**
 * Merges two measurements within one interval. If the second ends no later than the first, it is a
 * repetition and adds nothing to the measured time.
 */
export function merged(intervalMs: number, one: Interval, two: Interval): Interval {
  const { lastUsers, lastAt } = two.lastAt >= one.lastAt ? two : one;
  const addedMs = two.lastAt > one.lastAt ? two.measuredMs : 0;
  return {
    startsAt: startOfInterval(one.startsAt, intervalMs),
    ...highest(one, two),
    fewestUsers: Math.min(one.fewestUsers, two.fewestUsers),
    lastUsers,
    lastAt,
    mostConnections: Math.max(one.mostConnections, two.mostConnections),
    measuredMs: Math.min(one.measuredMs + addedMs, intervalMs),
    ...mostActiveOf(one, two),
  };
}

function mostActiveOf(...intervals: Interval[]): { mostActive?: number } {
  const known = intervals.flatMap(({ mostActive }) => mostActive ?? []);
  return known.length > 0 ? { mostActive: Math.max(...known) } : {};
}

function highest(one: Interval, two: Interval) {
  const isTwo = two.mostUsers > one.mostUsers ||
    two.mostUsers === one.mostUsers && two.mostUsersAt < one.mostUsersAt;
  const { mostUsers, mostUsersAt, guestsAtMost } = isTwo ? two : one;
  // Of an interval from before guests were counted separately, nothing is known.
  return { mostUsers, mostUsersAt, ...guestsAtMost !== undefined && { guestsAtMost } };
}

/** How many users and connections are online. */
export interface Counts {
  users: number;
  /** How many of the users are guests; absent when none is. */
  guests?: number;
  connections: number;
  /** How many users are active; absent or null while no tab reports it. */
  active?: number | null;
}

/** The length of the shortest intervals. */
export const minuteMs = 60_000;

/** A day without a change of the clocks, in ms. */
export const dayMs = 24 * 60 * minuteMs;

/**
 * The recorder measures at least once a minute. After a longer silence the process did not run (the
 * machine slept, or its clock was set), and who was online in between is not known.
 */
const longestSilenceMs = 2 * minuteMs;

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
    const { users, guests, connections, active } = counts;
    this.#counts = { users, guests, connections, active };
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
    const { users, guests = 0, connections, active } = this.#counts;
    const measured: Interval = {
      startsAt: startOfInterval(from, minuteMs),
      mostUsers: users,
      mostUsersAt: from,
      guestsAtMost: guests,
      fewestUsers: users,
      lastUsers: users,
      lastAt: from + measuredMs,
      mostConnections: connections,
      measuredMs,
      ...typeof active === "number" && { mostActive: Math.min(active, users) },
    };
    this.#open = this.#open ? merged(minuteMs, this.#open, measured) : measured;
  }
}
