import type { LeaveReason } from "../events/leave_reason.ts";

/** What follows from a disconnection. */
export type Disconnection =
  /** The broker is to be told that so many connections are left; 0: the user is gone. */
  | { connections: number }
  /** The user's last connection closed: {@link PresenceTracker.expire} is due at this time. */
  | { wakeAt: number };

/** A user in a presence channel, as this node has it. */
export interface Present {
  /** 0 during the leave grace. */
  readonly connections: number;
  /** The date at which the user came. */
  readonly since: number;
  /** When there was no connection last. */
  readonly leftAt?: number;
}

interface Leaving {
  readonly dueAt: number;
  readonly reason: LeaveReason;
}

/** What is known of a user; changed in place, as joins are many. */
interface Entry {
  connections: number;
  readonly since: number;
  leftAt?: number;
}

/**
 * Who is in one presence channel through this node: users and their numbers of connections. Pure: it
 * takes events and the time, and says what to tell the broker and when to ask again.
 *
 * A user whose last connection closed stays for the grace, during which a return is silent.
 */
export class PresenceTracker {
  readonly #users = new Map<string, Entry>();
  readonly #leaving = new Map<string, Leaving>();

  /** A connection of the user joined, at this date. Returns how many there are now. */
  connect(userId: string, date: number): number {
    const user = this.#users.get(userId);
    if (!user) {
      this.#users.set(userId, { connections: 1, since: date });
      return 1;
    }
    this.#leaving.delete(userId);
    return ++user.connections;
  }

  /**
   * A connection of the user left.
   *
   * @param graceMs 0 when it unsubscribed, or when there is no grace.
   */
  disconnect(userId: string, now: number, graceMs: number, reason: LeaveReason): Disconnection {
    const user = this.#users.get(userId);
    if (!user) return { connections: 0 };
    user.connections--;
    if (user.connections > 0) return user;
    if (graceMs === 0) {
      this.#users.delete(userId);
      return { connections: 0 };
    }
    user.leftAt = now;
    const dueAt = now + graceMs;
    this.#leaving.set(userId, { dueAt, reason });
    return { wakeAt: dueAt };
  }

  /**
   * If the user's grace has passed with no return, why its last connection left; once, and from then
   * on the user is gone.
   */
  expire(userId: string, now: number): LeaveReason | undefined {
    const leaving = this.#leaving.get(userId);
    if (!leaving || leaving.dueAt > now) return undefined;
    this.#leaving.delete(userId);
    this.#users.delete(userId);
    return leaving.reason;
  }

  /** Whether the user is here, or in its grace. */
  has(userId: string): boolean {
    return this.#users.has(userId);
  }

  /** Everybody here, those in their grace included. */
  users(): Iterable<[userId: string, user: Present]> {
    return this.#users;
  }

  /** How many users are here through this node, those in their grace included. */
  get size(): number {
    return this.#users.size;
  }

  /** How many users are in their grace. */
  get leaving(): number {
    return this.#leaving.size;
  }
}
