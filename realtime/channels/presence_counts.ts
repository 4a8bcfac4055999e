import type { PresenceChannel } from "./channel.ts";

/** How many are in a presence channel. */
export interface PresenceCounts {
  users: number;
  connections: number;
}

/** Who is in a presence channel. */
export interface Presence extends PresenceCounts {
  userIds: string[];
}

type Present = Pick<PresenceChannel, "members" | "connections"> | undefined;

/** How many are in a presence channel; none where there is no channel. */
export function countsOf(channel: Present): PresenceCounts {
  return { users: channel?.members.size ?? 0, connections: channel?.connections ?? 0 };
}

/** Who is in a presence channel; nobody where there is no channel. */
export function presenceOf(channel: Present): Presence {
  return { userIds: channel?.members.ids() ?? [], ...countsOf(channel) };
}
