import type { PresenceChannel } from "./presence_channel.ts";

/** The size of a presence channel. */
export interface PresenceCounts {
  /** Members over all nodes, each once. */
  users: number;
  /** Connections of this node; a user in the leave grace counts as one, so never fewer than users here. */
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

type Counted = Pick<PresenceChannel, "members" | "connections" | "tracker"> | undefined;

/** The size of a presence channel; 0 when there is no channel. */
export function countsOf(channel: Counted): PresenceCounts {
  if (!channel) return { users: 0, connections: 0 };
  const { members, connections, tracker } = channel;
  return { users: members.size, connections: connections + tracker.absent };
}

/** The members of a presence channel; none when there is no channel. */
export function presenceOf(channel: Counted): Presence {
  return { userIds: channel?.members.ids() ?? [], ...countsOf(channel) };
}
