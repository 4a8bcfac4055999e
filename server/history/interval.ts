/** What was measured of the number of users online within one interval of time. */
export interface Interval {
  /** In ms since 1970, a multiple of the interval's length. */
  startsAt: number;
  mostUsers: number;
  /** When that number was first reached. */
  mostUsersAt: number;
  fewestUsers: number;
  lastUsers: number;
  /** The end of what was measured. */
  lastAt: number;
  mostConnections: number;
  /** How much of the interval was measured: the server did not run in the rest. */
  measuredMs: number;
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
  };
}

function highest(one: Interval, two: Interval) {
  const isTwo = two.mostUsers > one.mostUsers ||
    two.mostUsers === one.mostUsers && two.mostUsersAt < one.mostUsersAt;
  const { mostUsers, mostUsersAt } = isTwo ? two : one;
  return { mostUsers, mostUsersAt };
}
