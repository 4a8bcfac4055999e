/**
 * The recovery of the number of users online: after a start, users whose connections ended with the
 * server before are still coming back, and the number cannot be believed yet.
 */
export interface Recovery {
  /** How many users were online when the server before ended; at least 1. */
  readonly expected: number;
  /** When this server started. All times are in milliseconds, by one clock. */
  readonly startedAt: number;
  /** The most users since the start. */
  readonly most: number;
  /** When there were that many for the first time. */
  readonly grewAt: number;
  /**
   * For how long after the start the number may have users of servers that ended, and tells nothing of who is
   * back.
   */
  readonly uncertainMs: number;
}

/**
 * What the answer of the auth route for the channel of the users online has besides its signature: a
 * page knows with the first number of a connection whether to believe it.
 */
export interface AuthorizedCount {
  /** With times relative to the answer's; absent when the number can be believed. */
  recovery?: Recovery;
  /** Whether the page is told the number of users only, by the event `rollcall:count`. */
  isQuiet?: boolean;
  /** Whether the page must not report that it is used: it is an observer, or its server is no Rollcall. */
  refusesActivity?: boolean;
}

/**
 * How far a number can be believed, by the server that gives it: at once, or while users are still coming
 * back after a start, or since when it is stale, as that server does not reach the others.
 */
export type Freshness =
  | { readonly state: "live" }
  /** `expected`: how many users were online when the server before ended. */
  | { readonly state: "recovering"; readonly expected: number }
  /** `since`: in milliseconds since 1970, by the server's clock. */
  | { readonly state: "stale"; readonly since: number };

/** The least and the greatest length of a recovery in which not all users return, in milliseconds. */
export const recoveryMs = { least: 30_000, most: 120_000 };

/** A number that has not grown for this long has stopped growing, in milliseconds. */
export const growthMs = 10_000;

/**
 * The recovery of a server that starts; null when as many users are online as before, and at least one.
 *
 * @param before how many users were online when the server before ended; 0 when there was none.
 * @param uncertainMs for how long the number may have users of servers that ended.
 */
export function beginRecovery(
  before: number,
  users: number,
  at: number,
  uncertainMs = 0,
): Recovery | null {
  const expected = Math.max(before, 1);
  const most = uncertainMs > 0 ? 0 : users;
  if (most >= expected) return null;
  return { expected, startedAt: at, most, grewAt: at, uncertainMs };
}

/**
 * The recovery when there are this many users; the same object when nothing changed. Null when it is
 * over: when as many are online as before, or after 30 seconds once the number has not grown for ten,
 * or after two minutes. While the number may have users of servers that ended, those are expected back: servers
 * that were killed have recorded the last full minute only. Pure.
 */
export function continueRecovery(recovery: Recovery, users: number, at: number): Recovery | null {
  // A clock that was set back must not prolong it.
  if (at >= recoveryEnd(recovery) || at < recovery.startedAt) return null;
  if (at < recovery.startedAt + recovery.uncertainMs) {
    return users > recovery.expected ? { ...recovery, expected: users } : recovery;
  }
  if (users >= recovery.expected) return null;
  return users > recovery.most ? { ...recovery, most: users, grewAt: at } : recovery;
}

/** When a recovery is over if the number does not grow any more. */
export function recoveryEnd({ startedAt, grewAt }: Recovery): number {
  return Math.min(
    startedAt + recoveryMs.most,
    Math.max(startedAt + recoveryMs.least, grewAt + growthMs),
  );
}

/** A recovery by another clock, which is ahead of its own by so much, in milliseconds. */
export function byClock(recovery: Recovery, ahead: number): Recovery {
  const { startedAt, grewAt } = recovery;
  return { ...recovery, startedAt: startedAt + ahead, grewAt: grewAt + ahead };
}
