import type { AppSettings } from "../app_config.ts";
import type { LeaveReason } from "./leave_reason.ts";
import type { Listeners } from "./listeners.ts";

/** What becomes of a channel over all nodes. Of all nodes one tells it, once. */
export type ChannelServerEvent =
  /** The channel has its first subscriber, or lost its last. */
  | { readonly name: "channel_occupied" | "channel_vacated"; readonly channel: string }
  /** A user's first connection joined a presence channel. */
  | { readonly name: "member_added"; readonly channel: string; readonly userId: string }
  /** A user's last connection left a presence channel, and the user did not come back in time. */
  | {
    readonly name: "member_removed";
    readonly channel: string;
    readonly userId: string;
    readonly reason: LeaveReason;
  };

/** Something that happened in an app. */
export type ServerEvent =
  | ChannelServerEvent
  /** A client sent an event to the others in a channel. */
  | {
    readonly name: "client_event";
    readonly channel: string;
    readonly event: string;
    readonly data: unknown;
    readonly socketId: string;
    /** On presence channels, who sent it. */
    readonly userId: string | undefined;
  }
  /** A newcomer to a cache channel found no event. */
  | { readonly name: "cache_miss"; readonly channel: string }
  /** The subscribers of a channel were told how many they are. */
  | { readonly name: "subscription_count"; readonly channel: string; readonly count: number };

/** Hears what happens in the apps, during the call that causes it: it has to be quick. */
export type ServerEventListener = (occurrence: ServerEvent, app: AppSettings) => void;

/** Hears, as {@link ServerEventListener} does, that a connection has joined a channel of an app. */
export type SubscriptionListener = (channel: string, app: AppSettings) => void;

/** Who listens to what happens in the apps of a server. */
export interface Audience {
  readonly serverEvents: Listeners<Parameters<ServerEventListener>>;
  readonly subscriptions: Listeners<Parameters<SubscriptionListener>>;
}
