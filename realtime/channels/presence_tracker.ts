import type { Departure, LeaveReason } from "../events/server_events.ts";
import { type Clock, Deadlines } from "../timing/clock.ts";
import { FullMembers } from "./channel_limits.ts";

/** A user one of whose connections closed so recently that its client may return unnoticed. */
interface LeavingUser {
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
    if (this.#users.afterMs === 0 && !this.#users.isPaused) return false;
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
  pause(): void {
    this.#users.pause();
  }

  /** Forgets every user; none leaves. */
  stop(): void {
    this.#users.stop();
  }
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
  /** The connections that are not quiet. */
  fullConnections: number;
  readonly since: number;
  leftAt?: number;
  /** How the last connection left, while there is none. */
  reason?: LeaveReason;
  /** While one of its connections closed within the leave grace. */
  leaving?: LeavingUser;
  /** Whether all nodes know that this one has the user. */
  isClaimed?: boolean;
}

/**
 * The users of one presence channel through this node, and their numbers of connections.
 *
 * A user without a connection stays until the leave grace of each connection that closed has passed. A
 * return before changes nothing for the other members: a server-rendered page closes its socket at
 * every navigation, in one tab while another leaves.
 */
export class PresenceTracker {
  /** The users with a full connection, and users in a leave grace who had one. */
  readonly fullMembers: FullMembers;
  readonly #users = new Map<string, Entry>();
  readonly #grace: LeaveGrace;
  readonly #left: (userId: string, reason: LeaveReason) => void;
  readonly #stayed: (userId: string) => void;
  #absent = 0;

  /**
   * @param left is called when a user's leave grace has passed without a return.
   * @param stayed is called when it has passed, and the user has a connection.
   */
  constructor(
    grace: LeaveGrace,
    left: (userId: string, reason: LeaveReason) => void,
    isGuest: (userId: string) => boolean = () => false,
    stayed: (userId: string) => void = () => {},
  ) {
    this.#grace = grace;
    this.#left = left;
    this.#stayed = stayed;
    this.fullMembers = new FullMembers(isGuest);
  }

  /** Counts a connection of the user. @returns the user's connections now */
  connect(userId: string, isFullMember = true): number {
    if (isFullMember) this.fullMembers.add(userId);
    const fullConnections = isFullMember ? 1 : 0;
    const user = this.#users.get(userId);
    if (!user) {
      const since = this.#grace.clock.date();
      this.#users.set(userId, { connections: 1, fullConnections, since, isClaimed: false });
      return 1;
    }
    if (user.connections === 0) this.#absent--;
    user.fullConnections += fullConnections;
    return ++user.connections;
  }

  /**
   * Counts a connection of the user that left.
   *
   * @returns whether the user is gone: no connection is left, and no leave grace runs.
   */
  disconnect(userId: string, { grace, reason }: Departure, isFullMember = true): boolean {
    const user = this.#users.get(userId);
    if (!user) return true;
    user.connections--;
    if (isFullMember) user.fullConnections--;
    if (grace) this.#startGrace(userId, user);
    this.#hush(userId, user);
    if (user.connections > 0) return false;
    if (!user.leaving) return this.#users.delete(userId);
    this.#absent++;
    user.leftAt = this.#grace.clock.now();
    user.reason = reason;
    return false;
  }

  /** A user without a full connection keeps its place among the full members for the leave grace only. */
  #hush(userId: string, { fullConnections, leaving }: Entry): void {
    if (fullConnections === 0 && !leaving) this.fullMembers.delete(userId);
  }

  #startGrace(userId: string, user: Entry): void {
    const leaving = user.leaving ??
      { userId, expire: (reason?: LeaveReason) => this.#expire(userId, user, reason) };
    if (this.#grace.start(leaving)) user.leaving = leaving;
  }

  #expire(userId: string, user: Entry, reason = user.reason): void {
    user.leaving = undefined;
    this.#hush(userId, user);
    if (user.connections > 0) this.#stayed(userId);
    if (user.connections > 0 || !reason) return;
    this.#absent--;
    this.#users.delete(userId);
    this.#left(userId, reason);
  }

  /** All nodes know that this one has the user. */
  claimed(userId: string): void {
    const user = this.#users.get(userId);
    if (user) user.isClaimed = true;
  }

  /** Whether all nodes know that this one has the user. */
  isClaimed(userId: string): boolean {
    return this.#users.get(userId)?.isClaimed === true;
  }

  /** Whether a connection of the user closed within the leave grace. */
  isLeaving(userId: string): boolean {
    return this.#users.get(userId)?.leaving !== undefined;
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

/** The subscribers of each user of a channel. Most users have one, which is kept without a set. */
export class SubscribersByUser<S extends object> {
  readonly #subscribers = new Map<string, S | Set<S>>();

  /** Adds a subscriber of a user; one that is there already stays once. */
  add(userId: string, subscriber: S): void {
    const subscribers = this.#subscribers.get(userId);
    if (subscribers instanceof Set) subscribers.add(subscriber);
    else if (subscribers) this.#subscribers.set(userId, new Set([subscribers, subscriber]));
    else this.#subscribers.set(userId, subscriber);
  }

  /** Removes a subscriber of a user, if it is one. */
  delete(userId: string, subscriber: S): void {
    const subscribers = this.#subscribers.get(userId);
    if (subscribers instanceof Set) subscribers.delete(subscriber);
    if (subscribers === subscriber || (subscribers instanceof Set && subscribers.size === 0)) {
      this.#subscribers.delete(userId);
    }
  }

  /** The subscribers of a user, in the order in which they came. */
  of(userId: string): Iterable<S> {
    const subscribers = this.#subscribers.get(userId);
    if (subscribers === undefined) return [];
    return subscribers instanceof Set ? subscribers : [subscribers];
  }
}
