import type { SignedInUser } from "./connection.ts";
import { type Disconnection, PresenceTracker } from "../channels/presence_tracker.ts";

/** Whoever signs in; told apart by identity. */
interface Visitor {
  readonly user: SignedInUser | undefined;
}

/**
 * Who is signed in to one app, and who watches whom. A user is online while signed in on at least
 * one connection, and for the grace after the last one closed. Pure: it takes events and the time.
 */
export class SignedInUsers<V extends Visitor> {
  readonly #tracker = new PresenceTracker();
  readonly #byUser = new Map<string, Set<V>>();
  readonly #watchers = new Map<string, Set<V>>();

  /** A visitor signed in. True when its user was not online before. */
  add(visitor: V, { id, watchlist }: SignedInUser, now: number): boolean {
    const isNew = !this.#tracker.has(id);
    this.#tracker.connect(id, now);
    addTo(this.#byUser, id, visitor);
    for (const watched of watchlist) addTo(this.#watchers, watched, visitor);
    return isNew;
  }

  /** A visitor left; undefined when it was not signed in. */
  remove(visitor: V, now: number, graceMs: number): Disconnection | undefined {
    const { user } = visitor;
    if (!user || !deleteFrom(this.#byUser, user.id, visitor)) return undefined;
    for (const watched of user.watchlist) deleteFrom(this.#watchers, watched, visitor);
    return this.#tracker.disconnect(user.id, now, graceMs, "closed");
  }

  /** Whether the user's grace has passed with no return. */
  expire(userId: string, now: number): boolean {
    return this.#tracker.expire(userId, now) !== undefined;
  }

  isOnline(userId: string): boolean {
    return this.#tracker.has(userId);
  }

  /** The connections that are signed in as a user. */
  of(userId: string): V[] {
    return [...this.#byUser.get(userId) ?? []];
  }

  /** Who wants to know whether a user is online. */
  watchersOf(userId: string): Iterable<V> {
    return this.#watchers.get(userId) ?? [];
  }

  /** How many users are online, those in their grace included. */
  get online(): number {
    return this.#tracker.size;
  }

  /** How many users are signed in. */
  get users(): number {
    return this.#byUser.size;
  }

  /** How many users are watched. */
  get watched(): number {
    return this.#watchers.size;
  }
}

function addTo<V>(map: Map<string, Set<V>>, key: string, value: V): void {
  const values = map.get(key);
  if (values) values.add(value);
  else map.set(key, new Set([value]));
}

function deleteFrom<V>(map: Map<string, Set<V>>, key: string, value: V): boolean {
  const values = map.get(key);
  if (!values?.delete(value)) return false;
  if (values.size === 0) map.delete(key);
  return true;
}
