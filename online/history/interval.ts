/** What was measured of the number of users online within one interval of time. */
export interface Interval {
  /** In ms since 1970, a multiple of the interval's length. */
  startsAt: number;
  mostUsers: number;
  /** When that was reached first. */
  mostUsersAt: number;
  fewestUsers: number;
  lastUsers: number;
  /** Until when it was measured. */
  lastAt: number;
  mostConnections: number;
  /** For how much of the interval the server was there to count. */
  measuredMs: number;
}

/** The start of the interval of so many milliseconds in which a time lies. */
export function startOfInterval(at: number, intervalMs: number): number {
  return Math.floor(at / intervalMs) * intervalMs;
}

/**
 * Two measurements within one interval of `intervalMs` as one, the later one last. What ends no later
 * than the first adds nothing to the time that was measured: it is the same time, told again.
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
