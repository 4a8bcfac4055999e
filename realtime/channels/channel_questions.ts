import type { CachedEvent } from "./event_cache.ts";
import type { Hub } from "./hub.ts";
import { PresenceChannel } from "./presence_channel.ts";

/** How many are in a channel, over all servers; 0 in one that nobody is in. */
export interface ChannelSize {
  /** Users, each once; 0 in channels other than presence channels. */
  readonly members: number;
  /** Connections, observers not included; of a user in its leave grace, the one that may return. */
  readonly subscribers: number;
}

/**
 * What can be asked of the channels of an app, over all servers. Each question is rejected with
 * `Unavailable` while the other servers cannot be asked.
 */
export interface ChannelQuestions {
  /** The names of the occupied channels: those with a member, or else with a subscriber. */
  channels(): Promise<string[]>;
  /** The sizes of channels, in the order of their names. */
  sizes(channels: readonly string[]): Promise<ChannelSize[]>;
  /** The event that a cache channel keeps, whether it is occupied or not. */
  cached(channel: string): Promise<CachedEvent | undefined>;
  /** The ids of the users in a presence channel; none for any other channel. */
  members(channel: string): Promise<string[]>;
}

/** Answers from the memory of a server that is the only one. */
export function questionsOf(hub: Hub): ChannelQuestions {
  return {
    channels: () => {
      const occupied = hub.channels.values().filter(({ isOccupied }) => isOccupied);
      return Promise.resolve(Array.from(occupied, ({ name }) => name));
    },
    sizes: (channels) => Promise.resolve(channels.map((name) => sizeOf(hub, name))),
    cached: (channel) => Promise.resolve(hub.cached(channel)),
    members: (channel) => Promise.resolve(hub.presence(channel)?.members.ids() ?? []),
  };
}

function sizeOf(hub: Hub, name: string): ChannelSize {
  const channel = hub.channels.get(name);
  if (!channel?.isOccupied) return { members: 0, subscribers: 0 };
  if (!(channel instanceof PresenceChannel)) {
    return { members: 0, subscribers: channel.subscribers.size };
  }
  const { connections, members, tracker } = channel;
  return { members: members.size, subscribers: connections + tracker.absent };
}
