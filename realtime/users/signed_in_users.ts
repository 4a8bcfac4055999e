import { type LeaveGrace, PresenceTracker } from "../channels/presence_tracker.ts";
import type { SignedInUser } from "../connections/connection.ts";
import type { Departure, LeaveReason } from "../events/server_events.ts";

/** A connection, as the list sees it; identity distinguishes two. */
interface SignedIn {
  readonly user: SignedInUser | undefined;
}

/**
 * The users who are signed in to one app, their connections and their watchers. A user is online
 * while signed in on at least one connection, and for the leave grace after the last one closed.
 */
export class SignedInUsers<C extends SignedIn> {
  readonly #tracker: PresenceTracker;
  readonly #byUser = new Map<string, Set<C>>();
  readonly #watchers = new Map<string, Set<C>>();

  /** @param wentOffline is called when a user's leave grace has passed without a return. */
  constructor(grace: LeaveGrace, wentOffline: (userId: string, reason: LeaveReason) => void) {
    this.#tracker = new PresenceTracker(grace, wentOffline);
  }

  /** Adds a connection that signed in. @returns whether its user was offline before */
  add(connection: C, { id, watchlist }: SignedInUser): boolean {
    const wasOffline = !this.#tracker.has(id);
    this.#tracker.connect(id);
    addTo(this.#byUser, id, connection);
    for (const watched of watchlist) addTo(this.#watchers, watched, connection);
    return wasOffline;
  }

  /** Removes a connection, signed in or not. @returns whether its user is offline now */
  remove(connection: C, departure: Departure): boolean {
    const { user } = connection;
    if (!user || !deleteFrom(this.#byUser, user.id, connection)) return false;
    for (const watched of user.watchlist) deleteFrom(this.#watchers, watched, connection);
    return this.#tracker.disconnect(user.id, departure);
  }

  /** Whether a user is signed in or in its leave grace. */
  isOnline(userId: string): boolean {
    return this.#tracker.has(userId);
  }

  /** The connections that watch a user. */
  watchersOf(userId: string): Iterable<C> {
    return this.#watchers.get(userId) ?? [];
  }

  /** The ids of the users who are signed in or in their leave grace. */
  onlineIds(): string[] {
    return Array.from(this.#tracker.users(), ([userId]) => userId);
  }

  /** The number of users who are signed in or in their leave grace. */
  get online(): number {
    return this.#tracker.size;
  }

  /** The number of users who are signed in. */
  get users(): number {
    return this.#byUser.size;
  }

  /** The number of users who are watched. */
  get watched(): number {
    return this.#watchers.size;
  }
}

function addTo<C>(map: Map<string, Set<C>>, key: string, value: C): void {
  const values = map.get(key);
  if (values) values.add(value);
  else map.set(key, new Set([value]));
}

function deleteFrom<C>(map: Map<string, Set<C>>, key: string, value: C): boolean {
  const values = map.get(key);
  if (!values?.delete(value)) return false;
  if (values.size === 0) map.delete(key);
  return true;
}
