import type { Channel } from "./channel.ts";
import { PresenceChannel } from "./presence_channel.ts";

/** The number of entries that channels keep, by what they are. */
export function channelStats(all: Iterable<Channel>) {
  const stats = {
    channels: 0,
    subscriptions: 0,
    /** Subscriptions that are told the number of members only. */
    quiet: 0,
    /** Members of all presence channels. */
    members: 0,
    /** Connections that have not been sent the member list yet. */
    waiting: 0,
    /** Users through this node, including users in their leave grace. */
    present: 0,
    /** Users who are known to be active or idle. */
    reporting: 0,
  };
  for (const channel of all) {
    stats.channels++;
    stats.subscriptions += channel.subscribers.size;
    if (!(channel instanceof PresenceChannel)) continue;
    stats.subscriptions += channel.quiet.size;
    stats.quiet += channel.quiet.size;
    stats.members += channel.members.size;
    stats.waiting += channel.waiting;
    stats.present += channel.tracker.size;
    stats.reporting += channel.activity.size;
  }
  return stats;
}
