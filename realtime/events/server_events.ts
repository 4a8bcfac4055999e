import type { AppSettings } from "../app_config.ts";
import type { Member } from "../protocol/member.ts";
import type { RejectionListener } from "./rejections.ts";
import type { Listeners } from "./listeners.ts";

/** The reasons for which a user leaves a presence channel: how the last of its connections left. */
export const leaveReasons = [
  /** The peer closed the connection, or its network did. */
  "closed",
  /** The peer gave no sign of life for the whole idle timeout. */
  "timed_out",
  /** The client unsubscribed and stayed connected. */
  "unsubscribed",
  /** The session ended in which the connection was signed for. */
  "signed_out",
  /** This server's own code closed the user's connections. */
  "removed",
  /** The connection exceeded a limit or broke a rule. */
  "refused",
  /** The server stopped. */
  "server_restart",
  /** The server of its last connection was lost. */
  "server_lost",
] as const;

/** Why a user left a presence channel. */
export type LeaveReason = typeof leaveReasons[number];

/** How a connection leaves its channels. */
export interface Departure {
  readonly reason: LeaveReason;
  /** Whether its user stays a member for the leave grace, and may return within it unnoticed. */
  readonly grace: boolean;
  /** Whether the app's own code asked for it: then its reason also holds while the server stops. */
  readonly isRequested?: boolean;
}

/** The departures that no code of the app asks for. */
export const departures = {
  closed: { grace: true, reason: "closed" },
  /** The peer was silent for the whole idle timeout, which is grace enough. */
  timedOut: { grace: false, reason: "timed_out" },
  unsubscribed: { grace: false, reason: "unsubscribed" },
  refused: { grace: true, reason: "refused" },
  /** However the connection ended: its client may return to the server's successor. */
  serverStopped: { grace: true, reason: "server_restart" },
} as const satisfies Record<string, Departure>;

/** A change of a channel over all nodes; one node emits it, once. */
export type ChannelServerEvent =
  /** The channel has its first subscriber, or lost its last; members alone count in presence channels. */
  | { readonly name: "channel_occupied" | "channel_vacated"; readonly channel: string }
  /**
   * A user's first connection joined a presence channel; or the app's server changed the `user_info` of a member,
   * which is reported where a webhook asks for it.
   */
  | {
    readonly name: "member_added" | "member_updated";
    readonly channel: string;
    readonly userId: string;
    readonly member: Member;
  }
  /** A user's last connection left a presence channel, and the user did not return in time. */
  | {
    readonly name: "member_removed";
    readonly channel: string;
    readonly userId: string;
    /** Absent when the departure was pending at a stop of the server. */
    readonly member?: Member;
    readonly reason: LeaveReason;
  };

/** An event that a client sent to a channel. */
export interface ClientEvent {
  readonly name: "client_event";
  readonly channel: string;
  readonly event: string;
  readonly data: unknown;
  readonly socketId: string;
  /** The sender's user id; presence channels only. */
  readonly userId: string | undefined;
}

/** An event that an app reports to its own server, named as Pusher's webhooks name it. */
export type ServerEvent =
  | ChannelServerEvent
  /** A client sent an event to the other subscribers of a channel. */
  | ClientEvent
  /** A new subscriber of a cache channel found no event. */
  | { readonly name: "cache_miss"; readonly channel: string }
  /** A channel's number of subscribers was sent to them. */
  | { readonly name: "subscription_count"; readonly channel: string; readonly count: number };

/**
 * Receives the events of all apps. It is called synchronously, within the change that caused the
 * event, so it must be quick.
 */
export type ServerEventListener = (event: ServerEvent, app: AppSettings) => void;

/**
 * What is reported once over all servers, for webhooks and records: a server alone reports all of it. Of several
 * servers, each reports only what its own clients did; joins, leaves, occupied and vacated channels are in their
 * shared log, which the leader reads. A listener that needs what this server sees takes {@link SeenEvents}.
 */
export interface ReportedEvents {
  /** Adds a listener to the reported events of all apps. @returns unsubscribe */
  onServerEvent(listener: ServerEventListener): () => void;
}

/** What the clients of this server do, whether it is alone or one of several. */
export interface SeenEvents {
  /** Adds a listener to the subscriptions of all apps. @returns unsubscribe */
  onSubscription(listener: SubscriptionListener): () => void;
  /** Adds a listener to what clients of all apps are rejected for. @returns unsubscribe */
  onRejection(listener: RejectionListener): () => void;
}

/**
 * Is called, as {@link ServerEventListener} is, after a connection has subscribed to a channel.
 *
 * @param member whom it joined a presence channel as; undefined for observers and other channels.
 */
export type SubscriptionListener = (
  channel: string,
  app: AppSettings,
  member?: Member,
) => void;

/** The listeners of a server, for all of its apps. */
export interface ServerListeners {
  readonly serverEvents: Listeners<Parameters<ServerEventListener>>;
  readonly subscriptions: Listeners<Parameters<SubscriptionListener>>;
  readonly rejections: Listeners<Parameters<RejectionListener>>;
}

/** Who published an event to a channel: a call of the HTTP API, this server's own code, or a client. */
export type Publisher = "api" | "server" | "client";

/** An event that was published to a channel, whether the channel has subscribers or not. */
export interface PublishedEvent {
  readonly name: string;
  /** As subscribers receive it. */
  readonly data: string;
  readonly from: Publisher;
  /** The sender's user id; client events of presence channels only. */
  readonly userId?: string;
}
