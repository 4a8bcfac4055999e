import type { Connection, OpenPage } from "../connections/connection.ts";
import type { ResolvedOptions } from "../options.ts";
import type { Member } from "../protocol/users.ts";
import type { PresenceChannel } from "./presence_channel.ts";

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
}

/** The members of a presence channel that have connections to this node. */
export function membersOf(
  channel: PresenceChannel<Connection>,
  { clock, idleTimeoutSeconds }: Pick<ResolvedOptions, "clock" | "idleTimeoutSeconds">,
): PresentMember[] {
  const lastFrameAt = new Map<string, number>();
  const pages = new Map<string, OpenPage[]>();
  const [now, date] = [clock.now(), clock.date()];
  const aliveAt = now - idleTimeoutSeconds * 1_000;
  for (const connection of channel.allSubscribers()) {
    const { userId, page } = connection.subscriptions.get(channel.name) ?? {};
    if (userId === undefined) continue;
    lastFrameAt.set(userId, Math.max(lastFrameAt.get(userId) ?? aliveAt, connection.lastFrameAt));
    if (!page) continue;
    const known = pages.get(userId);
    if (known) known.push(page);
    else pages.set(userId, [page]);
  }
  const dateOf = (time: number | undefined) =>
    time === undefined ? undefined : Math.round(date - (now - time));
  for (const theirs of pages.values()) theirs.sort((a, b) => b.since - a.since);
  return Array.from(channel.tracker.users(), ([userId, { connections, since, leftAt }]) => ({
    userId,
    member: channel.members.get(userId),
    since,
    connections,
    lastSeenAt: dateOf(lastFrameAt.get(userId) ?? leftAt) ?? since,
    ...pages.has(userId) && { pages: pages.get(userId) },
  }));
}
