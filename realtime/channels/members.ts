import type { Connection, OpenPage, UserActivity } from "../connections/connection.ts";
import type { ResolvedOptions } from "../options.ts";
import { isPrivate, type Member } from "../protocol/member.ts";
import type { Clock } from "../timing/clock.ts";
import type { PresenceChannel } from "./presence_channel.ts";
import type { TrackedUser } from "./presence_tracker.ts";

/** A member of a presence channel, as this node has it. Times are in milliseconds since 1970. */
export interface PresentMember {
  userId: string;
  /** As the user joined; absent while the user waits to be a member. */
  member?: Member;
  /** When the user became a member. */
  since: number;
  /** Connections in the channel; 0 during the leave grace. */
  connections: number;
  /**
   * The last known sign of life. Of an open connection it is at most the idle timeout ago, at which a
   * peer that answers no ping is closed; during the leave grace, it is when the last one closed.
   */
  lastSeenAt: number;
  /** The pages that the user's clients reported, one per connection, the newest first; absent without any. */
  pages?: readonly OpenPage[];
  /** Whether the tabs are used that report this and no page; absent without any. */
  tabs?: readonly UserActivity[];
  /** Whether the user is active; absent while no tab reports it. */
  activity?: UserActivity;
}

type Clocks = Pick<ResolvedOptions, "clock" | "idleTimeoutSeconds">;

/**
 * The members of a presence channel that have connections to this node.
 *
 * @param userIds of these users only.
 */
export function membersOf(
  channel: PresenceChannel<Connection>,
  { clock, idleTimeoutSeconds }: Clocks,
  userIds?: ReadonlySet<string>,
): PresentMember[] {
  const aliveAt = clock.now() - idleTimeoutSeconds * 1_000;
  const dateOf = dates(clock);
  return usersOf(channel, clock, userIds).map((user) => {
    let lastFrameAt: number | undefined;
    const pages: OpenPage[] = [];
    const tabs: UserActivity[] = [];
    for (const connection of channel.byUser.of(user.userId)) {
      lastFrameAt = Math.max(lastFrameAt ?? aliveAt, connection.lastFrameAt);
      const { page, activity } = connection.subscriptions.get(channel.name) ?? {};
      if (page && !isPrivate(user.member)) pages.push(activity ? { ...page, activity } : page);
      else if (activity) tabs.push(activity);
    }
    return {
      ...user,
      ...lastFrameAt !== undefined && { lastSeenAt: dateOf(lastFrameAt) },
      ...pages.length > 0 && { pages: pages.sort((a, b) => b.since - a.since) },
      ...tabs.length > 0 && { tabs },
    };
  });
}

/** The pages that the clients of each member reported; only of members with any. */
export function openPagesOf(channel: PresenceChannel<Connection>): Iterable<readonly OpenPage[]> {
  const pages = new Map<string, OpenPage[]>();
  for (const { subscriptions } of channel.allSubscribers()) {
    const { userId, page } = subscriptions.get(channel.name) ?? {};
    if (userId === undefined || !page || isPrivate(channel.members.get(userId))) continue;
    const ofUser = pages.get(userId);
    if (ofUser) ofUser.push(page);
    else pages.set(userId, [page]);
  }
  return pages.values();
}

/** The same as {@link membersOf} without a look at the connections: no pages, and all who are connected were seen now. */
export function usersOf(
  { activity: known, members, tracker }: PresenceChannel,
  clock: Clock,
  userIds?: ReadonlySet<string>,
): PresentMember[] {
  const dateOf = dates(clock);
  const now = clock.now();
  const userOf = (userId: string, { connections, since, leftAt = now }: TrackedUser) => {
    const activity = known.of(userId);
    return {
      userId,
      member: members.get(userId),
      since,
      connections,
      lastSeenAt: dateOf(connections > 0 ? now : leftAt),
      ...activity && { activity },
    };
  };
  if (!userIds) return Array.from(tracker.users(), ([userId, user]) => userOf(userId, user));
  return Array.from(userIds).flatMap((userId) => {
    const user = tracker.get(userId);
    return user ? [userOf(userId, user)] : [];
  });
}

/** The dates of times of the clock, in milliseconds since 1970. */
function dates(clock: Clock): (time: number) => number {
  const [now, date] = [clock.now(), clock.date()];
  return (time) => Math.round(date - (now - time));
}

/** The size of a presence channel. */
export interface PresenceCounts {
  /** Members over all nodes, each once. */
  users: number;
  /** How many of the users are guests; absent when none is. */
  guests?: number;
  /** Connections over all nodes; a user in the leave grace counts as one, so never fewer than users. */
  connections: number;
}

/** A change of a presence channel. */
export interface PresenceChange extends PresenceCounts {
  /** Of whom the connections of this node changed; absent for what changed on another node. */
  userId?: string;
}

/** Is called after every change of the members or their connections, synchronously. */
export type PresenceListener = (change: PresenceChange) => void;

/** The members of a presence channel and its size. */
export interface Presence extends PresenceCounts {
  userIds: string[];
}

type Counted = Pick<PresenceChannel, "members" | "guests" | "connectionsEverywhere"> | undefined;

/** The size of a presence channel; 0 when there is no channel. */
export function countsOf(channel: Counted): PresenceCounts {
  if (!channel) return { users: 0, connections: 0 };
  const { guests, members, connectionsEverywhere: connections } = channel;
  return { users: members.size, connections, ...guests > 0 && { guests } };
}

/** The members of a presence channel; none when there is no channel. */
export function presenceOf(channel: Counted): Presence {
  return { userIds: channel?.members.ids() ?? [], ...countsOf(channel) };
}

/** Users who have the same pages open, or who are left: those have no paths. */
export interface OpenPages {
  /** Each once, sorted. */
  readonly paths: readonly string[];
  /** Kinds of devices, each once, sorted; of users whose clients report none, none. */
  readonly devices: readonly NonNullable<OpenPage["device"]>[];
  readonly users: number;
}

/** Paths that are told apart of one user. */
const maxPaths = 20;

/** Groups of users with the same pages. */
export const maxOpenPages = 1_000;

/** Groups users by what they have open, the largest groups first; the users of small ones are left. @param opened the pages of each user */
export function groupedPages(opened: Iterable<readonly Omit<OpenPage, "since">[]>): OpenPages[] {
  const groups = new Map<string, OpenPages>();
  for (const pages of opened) {
    const paths = distinct(pages.map(({ path }) => path)).slice(0, maxPaths);
    const devices = distinct(pages.flatMap(({ device }) => device ?? []));
    const key = JSON.stringify([paths, devices]);
    const users = (groups.get(key)?.users ?? 0) + 1;
    groups.set(key, { paths, devices, users });
  }
  const sorted = [...groups.values()].sort((one, other) => other.users - one.users);
  const left = sorted.splice(maxOpenPages - 1).reduce((sum, { users }) => sum + users, 0);
  return left > 0 ? [...sorted, { paths: [], devices: [], users: left }] : sorted;
}

function distinct<Text extends string>(texts: readonly Text[]): Text[] {
  return [...new Set(texts)].sort();
}
