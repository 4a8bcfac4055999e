import type { LeaveReason } from "../events/leave_reason.ts";
import type { Clock } from "../timing/clock.ts";
import { Deadlines } from "../timing/deadlines.ts";

/** A user one of whose connections closed so recently that its client may return unnoticed. */
export interface LeavingUser {
  readonly userId: string;
  /** The time to return is over. @param reason why the user leaves; default: how its last connection left */
  readonly expire: (reason?: LeaveReason) => void;
}

/**
 * The leave grace of an app. A user's grace ends a fixed time after the last of its connections that
 * closed, whether others were open then or not. All users share one timer.
 */
export class LeaveGrace {
  readonly clock: Clock;
  readonly #users: Deadlines<LeavingUser>;

  /** @param ms how long it is, in milliseconds; 0: there is none. */
  constructor(ms: number, clock: Clock) {
    this.clock = clock;
    this.#users = new Deadlines(ms, (user) => user.expire(), clock);
  }

  /** The number of users in it. */
  get size(): number {
    return this.#users.size;
  }

  /** A connection of the user closed: its grace starts, or starts again. @returns whether there is one */
  start(user: LeavingUser): boolean {
    if (this.#users.afterMs === 0 && !this.#users.isHeld) return false;
    this.#users.add(user);
    return true;
  }

  /** Ends the grace of a user, in every tracker, as if the time were over. */
  end(userId: string, reason: LeaveReason): void {
    const theirs = [...this.#users.items()].filter((user) => user.userId === userId);
    for (const user of theirs) {
      this.#users.delete(user);
      user.expire(reason);
    }
  }

  /** From now on no grace ends by itself, and users have one even if its time is 0. */
  hold(): void {
    this.#users.hold();
  }

  /** Forgets every user; none leaves. */
  stop(): void {
    this.#users.stop();
  }
}
