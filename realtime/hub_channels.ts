import type { AppChannels, ChannelEvent, ChannelState } from "./app_channels.ts";
import { PresenceChannel } from "./channel.ts";
import type { Hub } from "./hub.ts";
import { published } from "./outgoing.ts";
import type { App } from "./signature.ts";

/** Pusher's limit for the data of an event: 10 KB. */
const defaultMaxEventBytes = 10_240;

/** The channels of one app, as its hub on this node has them. */
export class HubChannels implements AppChannels {
  readonly maxEventBytes = defaultMaxEventBytes;
  readonly #hub: Hub;

  /** `terminateUser` closes the connections that signed in as a user and says how many. */
  constructor(hub: Hub, readonly terminateUser: (userId: string) => number) {
    this.#hub = hub;
  }

  get app(): App {
    return this.#hub.app;
  }

  refusal(): undefined {}

  channels(): Iterable<string> {
    return this.#hub.channels.keys();
  }

  channel(name: string): ChannelState | undefined {
    const channel = this.#hub.channels.get(name);
    if (!channel) return undefined;
    return channel instanceof PresenceChannel
      ? { userCount: channel.members.size, subscriptionCount: channel.connections }
      : { subscriptionCount: channel.subscribers.size };
  }

  users(name: string): string[] {
    return this.#hub.presence(name)?.members.ids() ?? [];
  }

  publish({ channel, name, data, except }: ChannelEvent): void {
    this.#hub.publish(channel, published(channel, name, data), except);
  }
}
