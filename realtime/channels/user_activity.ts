/**
 * Whether users use what they have open: active, idle, or unknown, as their tabs report it.
 *
 * A user is active while any tab is, and idle once all tabs that report are. A tab that never reported is
 * unknown, and does not make the user idle. The same rule joins the tabs of a server and the servers of a user.
 *
 * The promise: what is known of a user changes when a tab reports, or for good when one is gone. A tab that
 * closes counts for the leave grace, so that a page that is reloaded, whose new tab has not reported yet,
 * makes no one idle or unknown for a moment.
 *
 * The trade-off: a user whose active tab closed stays active for the leave grace.
 *
 * @module
 */
import type { UserActivity } from "../connections/connection.ts";

/**
 * What tabs, or servers, know of a user together; undefined while none knows anything. The order does not
 * matter, nor what is said twice. Idle since the last of them was active; active since the first is.
 */
export function combinedActivity(
  parts: Iterable<UserActivity | undefined>,
): UserActivity | undefined {
  let combined: UserActivity | undefined;
  for (const part of parts) {
    if (part && (!combined || isStronger(part, combined))) combined = part;
  }
  return combined;
}

function isStronger(one: UserActivity, other: UserActivity): boolean {
  if (one.state !== other.state) return one.state === "active";
  return one.state === "active" ? one.since < other.since : one.since > other.since;
}

/** What is known of a user at a moment; see {@link nextActivity}. */
export interface TabsOfUser {
  /** What was known before. */
  readonly before: UserActivity | undefined;
  /** What the open tabs reported. */
  readonly tabs: Iterable<UserActivity | undefined>;
  /** Whether a tab closed within the leave grace. */
  readonly isLeaving: boolean;
  /** Whether a tab is gone, and not only one that reported. */
  readonly isGone: boolean;
  /** The date, in milliseconds since 1970. */
  readonly now: number;
}

/**
 * What is known of a user from now on. Who was active until a tab was gone is idle since then, and who was
 * idle stays so since as long, however long the other tabs are.
 */
export function nextActivity(
  { before, tabs, isLeaving, isGone, now }: TabsOfUser,
): UserActivity | undefined {
  const next = combinedActivity(isLeaving ? [before, ...tabs] : tabs);
  if (!isGone || next?.state !== "idle") return next;
  if (before?.state === "active") return { state: "idle", since: now };
  return combinedActivity([before, next]);
}

/** What is known of the users of a channel through this server, each as one. */
export class ActivityOfUsers {
  readonly #known = new Map<string, UserActivity>();
  #active = 0;

  /** How many users something is known of. */
  get size(): number {
    return this.#known.size;
  }

  /** How many of them are active. */
  get active(): number {
    return this.#active;
  }

  /** What is known of a user. */
  of(userId: string): UserActivity | undefined {
    return this.#known.get(userId);
  }

  /** The ids of active users, the first so many. */
  activeIds(limit: number): string[] {
    const ids: string[] = [];
    for (const [userId, { state }] of this.#known) {
      if (ids.length >= limit) break;
      if (state === "active") ids.push(userId);
    }
    return ids;
  }

  /** Keeps what is known of a user now. @returns whether the user's state is another one */
  keep(userId: string, activity: UserActivity | undefined): boolean {
    const before = this.#known.get(userId);
    if (activity) this.#known.set(userId, activity);
    else this.#known.delete(userId);
    this.#active += Number(activity?.state === "active") - Number(before?.state === "active");
    return before?.state !== activity?.state;
  }
}

/** The active users of a channel on one server. */
export interface ActiveUsers {
  /** The ids of some of them, at most {@link maxActiveIds}. */
  readonly ids: readonly string[];
  /** How many further ones there are. */
  readonly more: number;
  /** Whether any user's tab reports. */
  readonly isKnown: boolean;
}

/** How many active users of a server others are told by id. */
export const maxActiveIds = 5_000;

/** The active users of one server. */
export function activeUsersOf(activity: ActivityOfUsers | undefined): ActiveUsers {
  const ids = activity?.activeIds(maxActiveIds) ?? [];
  const more = (activity?.active ?? 0) - ids.length;
  return { ids, more, isKnown: (activity?.size ?? 0) > 0 };
}

/**
 * How many users are active over all servers; null while none reports. A user of several servers counts
 * once, as far as servers tell ids.
 */
export function activeCount(servers: readonly ActiveUsers[]): number | null {
  if (!servers.some(({ isKnown }) => isKnown)) return null;
  const ids = new Set(servers.flatMap(({ ids }) => ids));
  return servers.reduce((sum, { more }) => sum + more, ids.size);
}
