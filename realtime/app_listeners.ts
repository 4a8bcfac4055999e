import type { PresenceChange } from "./channels/presence_counts.ts";
import { ChannelListeners } from "./events/channel_listeners.ts";
import type { PublishedEvent } from "./events/published_events.ts";

/** The listeners of this server's own code to the channels of an app. They are called synchronously, so they must be quick. */
export class AppListeners {
  /** Are called after every change of a presence channel's counts. */
  readonly presence: ChannelListeners<PresenceChange>;
  /** Are called after the page of a member of a presence channel changed. */
  readonly pages: ChannelListeners<void>;
  /** Are called with every event that is published to a channel. */
  readonly published: ChannelListeners<PublishedEvent>;

  /** @param failed receives what a listener throws. */
  constructor(failed: (error: unknown) => void) {
    this.presence = new ChannelListeners(failed);
    this.pages = new ChannelListeners(failed);
    this.published = new ChannelListeners(failed);
  }

  /** The number of channels with listeners, counted for each kind. */
  get size(): number {
    return this.presence.size + this.pages.size + this.published.size;
  }
}
