import type { MemberChange } from "./channels/member_list.ts";
import type { PresenceChange } from "./channels/presence_counts.ts";
import { ChannelListeners } from "./events/channel_listeners.ts";
import type { PublishedEvent } from "./events/published_events.ts";

/**
 * The listeners of this server's own code to what it sees in the channels of an app. What happens at other
 * servers is seen only in channels that have a subscriber here or are followed (see `App.follow`). They are called
 * synchronously, so they must be quick. What the installation reports once over all servers is in
 * {@link ReportedEvents}.
 */
export class AppListeners {
  /** Are called after every change of a presence channel's counts. */
  readonly presence: ChannelListeners<PresenceChange>;
  /** Are called after the page of a member of a presence channel changed. */
  readonly pages: ChannelListeners<void>;
  /** Are called with every event that is published to a channel or sent there by a client. */
  readonly published: ChannelListeners<PublishedEvent>;
  /** Are called with each change of a presence channel's list. */
  readonly members: ChannelListeners<MemberChange>;
  /** Are called when a channel has nothing left on this server. */
  readonly closed: ChannelListeners<void>;

  /** @param failed receives what a listener throws. */
  constructor(failed: (error: unknown) => void) {
    this.presence = new ChannelListeners(failed);
    this.pages = new ChannelListeners(failed);
    this.published = new ChannelListeners(failed);
    this.members = new ChannelListeners(failed);
    this.closed = new ChannelListeners(failed);
  }

  /** The number of channels with listeners, counted for each kind. */
  get size(): number {
    return [this.presence, this.pages, this.published, this.members, this.closed]
      .reduce((sum, { size }) => sum + size, 0);
  }
}
