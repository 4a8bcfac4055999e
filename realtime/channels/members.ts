import type { Connection } from "../connections/connection.ts";
import type { ResolvedOptions } from "../options.ts";
import type { Member } from "../protocol/users.ts";
import type { PresenceChannel } from "./channel.ts";

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
}

/** The members of a presence channel that have connections to this node. */
export function membersOf(
  channel: PresenceChannel<Connection>,
  { clock, idleTimeoutSeconds }: Pick<ResolvedOptions, "clock" | "idleTimeoutSeconds">,
): PresentMember[] {
  const lastFrameAt = new Map<string, number>();
  const [now, date] = [clock.now(), clock.date()];
  const aliveAt = now - idleTimeoutSeconds * 1_000;
  for (const connection of channel.subscribers) {
    const userId = connection.subscriptions.get(channel.name)?.userId;
    if (userId === undefined) continue;
    lastFrameAt.set(userId, Math.max(lastFrameAt.get(userId) ?? aliveAt, connection.lastFrameAt));
  }
  const dateOf = (time: number | undefined) =>
    time === undefined ? undefined : Math.round(date - (now - time));
  return Array.from(channel.tracker.users(), ([userId, { connections, since, leftAt }]) => ({
    userId,
    member: channel.members.get(userId),
    since,
    connections,
    lastSeenAt: dateOf(lastFrameAt.get(userId) ?? leftAt) ?? since,
  }));
}
