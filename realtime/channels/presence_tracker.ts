import type { Departure, LeaveReason } from "../events/leave_reason.ts";
import type { Clock } from "../timing/clock.ts";
import { Deadlines } from "../timing/deadlines.ts";

/** A user whose last connection left and whose leave grace runs. */
export interface LeavingUser {
  readonly tracker: PresenceTracker;
  readonly userId: string;
  readonly reason: LeaveReason;
}

/** The leave grace of an app: the users in it, and the only place where its end is kept. */
export type LeaveGrace = Deadlines<LeavingUser>;

/** Makes the leave grace that all trackers of an app share, so that they share one timer. */
export function leaveGrace(graceMs: number, clock: Clock): LeaveGrace {
  return new Deadlines(graceMs, (leaving) => leaving.tracker.expire(leaving), clock);
}

/** A user with connections to this node. */
export interface TrackedUser {
  /** 0 during the leave grace. */
  readonly connections: number;
  /** The date at which the first connection came. */
  readonly since: number;
  /** By the clock, when the user last had no connection; undefined if that never happened. */
  readonly leftAt?: number;
}

/** Changed in place, because joins are frequent. */
interface Entry {
  connections: number;
  readonly since: number;
  leftAt?: number;
  leaving?: LeavingUser;
}

/**
 * The users of one presence channel through this node, and their numbers of connections.
 *
 * A user whose last connection left stays for the leave grace, during which a return changes nothing
 * for the other members: a server-rendered page closes its socket at every navigation.
 */
export class PresenceTracker {
  readonly #users = new Map<string, Entry>();
  readonly #grace: LeaveGrace;
  readonly #left: (userId: string, reason: LeaveReason) => void;

  /** @param left is called when a user's leave grace has passed without a return. */
  constructor(grace: LeaveGrace, left: (userId: string, reason: LeaveReason) => void) {
    this.#grace = grace;
    this.#left = left;
  }

  /** Counts a connection of the user. @returns the user's connections now */
  connect(userId: string): number {
    const user = this.#users.get(userId);
    if (!user) {
      this.#users.set(userId, { connections: 1, since: this.#grace.clock.date() });
      return 1;
    }
    if (user.leaving) this.#grace.delete(user.leaving);
    user.leaving = undefined;
    return ++user.connections;
  }

  /**
   * Counts a connection of the user that left.
   *
   * @returns whether the user is gone: no connection is left and there is no leave grace.
   */
  disconnect(userId: string, { grace, reason }: Departure): boolean {
    const user = this.#users.get(userId);
    if (!user) return true;
    user.connections--;
    if (user.connections > 0) return false;
    if (!grace || this.#grace.afterMs === 0) return this.#users.delete(userId);
    user.leftAt = this.#grace.clock.now();
    user.leaving = { tracker: this, userId, reason };
    this.#grace.add(user.leaving);
    return false;
  }

  /** Removes a user whose leave grace has passed. */
  expire({ userId, reason }: LeavingUser): void {
    this.#users.delete(userId);
    this.#left(userId, reason);
  }

  /** Whether the user is present or in its leave grace. */
  has(userId: string): boolean {
    return this.#users.has(userId);
  }

  /** The users who are present or in their leave grace. */
  users(): Iterable<[userId: string, user: TrackedUser]> {
    return this.#users;
  }

  /** The number of users who are present or in their leave grace. */
  get size(): number {
    return this.#users.size;
  }
}
