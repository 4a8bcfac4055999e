import type { Departure, LeaveReason } from "../events/leave_reason.ts";
import type { LeaveGrace, LeavingUser } from "./leave_grace.ts";
import { LoudUsers } from "./loud_users.ts";

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
  /** Those of the connections that are loud. */
  loud: number;
  readonly since: number;
  leftAt?: number;
  /** How the last connection left, while there is none. */
  reason?: LeaveReason;
  /** While one of its connections closed within the leave grace. */
  leaving?: LeavingUser;
  /** Whether all nodes know that this one has the user. */
  isHeld?: boolean;
}

/**
 * The users of one presence channel through this node, and their numbers of connections.
 *
 * A user without a connection stays until the leave grace of each connection that closed has passed. A
 * return before changes nothing for the other members: a server-rendered page closes its socket at
 * every navigation, in one tab while another leaves.
 */
export class PresenceTracker {
  /** The users with a loud connection, and those in a leave grace who had one. */
  readonly loud: LoudUsers;
  readonly #users = new Map<string, Entry>();
  readonly #grace: LeaveGrace;
  readonly #left: (userId: string, reason: LeaveReason) => void;
  #absent = 0;

  /** @param left is called when a user's leave grace has passed without a return. */
  constructor(
    grace: LeaveGrace,
    left: (userId: string, reason: LeaveReason) => void,
    isGuest: (userId: string) => boolean = () => false,
  ) {
    this.#grace = grace;
    this.#left = left;
    this.loud = new LoudUsers(isGuest);
  }

  /** Counts a connection of the user. @returns the user's connections now */
  connect(userId: string, isLoud = true): number {
    if (isLoud) this.loud.add(userId);
    const loud = isLoud ? 1 : 0;
    const user = this.#users.get(userId);
    if (!user) {
      const since = this.#grace.clock.date();
      this.#users.set(userId, { connections: 1, loud, since, isHeld: false });
      return 1;
    }
    if (user.connections === 0) this.#absent--;
    user.loud += loud;
    return ++user.connections;
  }

  /**
   * Counts a connection of the user that left.
   *
   * @returns whether the user is gone: no connection is left, and no leave grace runs.
   */
  disconnect(userId: string, { grace, reason }: Departure, isLoud = true): boolean {
    const user = this.#users.get(userId);
    if (!user) return true;
    user.connections--;
    if (isLoud) user.loud--;
    if (grace) this.#startGrace(userId, user);
    this.#hush(userId, user);
    if (user.connections > 0) return false;
    if (!user.leaving) return this.#users.delete(userId);
    this.#absent++;
    user.leftAt = this.#grace.clock.now();
    user.reason = reason;
    return false;
  }

  /** A user without a loud connection keeps its place among the loud for the leave grace only. */
  #hush(userId: string, { loud, leaving }: Entry): void {
    if (loud === 0 && !leaving) this.loud.delete(userId);
  }

  #startGrace(userId: string, user: Entry): void {
    const leaving = user.leaving ??
      { userId, expire: (reason?: LeaveReason) => this.#expire(userId, user, reason) };
    if (this.#grace.start(leaving)) user.leaving = leaving;
  }

  #expire(userId: string, user: Entry, reason = user.reason): void {
    user.leaving = undefined;
    this.#hush(userId, user);
    if (user.connections > 0 || !reason) return;
    this.#absent--;
    this.#users.delete(userId);
    this.#left(userId, reason);
  }

  /** All nodes know that this one has the user. */
  held(userId: string): void {
    const user = this.#users.get(userId);
    if (user) user.isHeld = true;
  }

  /** Whether all nodes know that this one has the user. */
  isHeld(userId: string): boolean {
    return this.#users.get(userId)?.isHeld === true;
  }

  /** Whether the user is present or in its leave grace. */
  has(userId: string): boolean {
    return this.#users.has(userId);
  }

  /** A user who is present or in its leave grace. */
  get(userId: string): TrackedUser | undefined {
    return this.#users.get(userId);
  }

  /** The users who are present or in their leave grace. */
  users(): Iterable<[userId: string, user: TrackedUser]> {
    return this.#users;
  }

  /** The number of users who are present or in their leave grace. */
  get size(): number {
    return this.#users.size;
  }

  /** The number of users without a connection, who are in their leave grace. */
  get absent(): number {
    return this.#absent;
  }
}
