import { type Channel, PresenceChannel } from "./channel.ts";

/** How much channels keep, all together. */
export function channelStats(all: Iterable<Channel>) {
  const stats = {
    channels: 0,
    subscriptions: 0,
    /** Members of all presence channels. */
    members: 0,
    /** Connections that wait to be members. */
    waiting: 0,
    /** Members through this node, those in their leave grace included. */
    present: 0,
  };
  for (const channel of all) {
    stats.channels++;
    stats.subscriptions += channel.subscribers.size;
    if (!(channel instanceof PresenceChannel)) continue;
    stats.members += channel.members.size;
    stats.waiting += channel.connections - channel.subscribers.size;
    stats.present += channel.tracker.size;
  }
  return stats;
}
