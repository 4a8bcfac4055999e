import type { AppConfig } from "../app_config.ts";

/** What is known of an occupied channel. */
export interface ChannelState {
  /** Users in it, each once; presence channels only. */
  userCount?: number;
  /** Connections that are subscribed. */
  subscriptionCount: number;
}

/** The event that newcomers of a cache channel are sent. */
export interface CachedEvent {
  /** As clients receive it. */
  data: string;
  /** For how many seconds it is still kept, rounded up. */
  ttl: number;
}

/** Why an app takes no call. */
export interface CallRefusal {
  /** A word that never changes. */
  reason: "app_refused" | "over_quota";
  /** A sentence for the caller's developer. */
  message: string;
  /** When a call can succeed, if that is known. */
  retryAfterSeconds?: number;
}

/** An event on its way to the subscribers of a channel. */
export interface ChannelEvent {
  channel: string;
  name: string;
  /** As clients receive it. */
  data: string;
  /** The socket id of whoever caused the event and does not get it. */
  except?: string;
}

/** One app, as the HTTP API and this server's own code use it. */
export interface AppApi {
  readonly app: AppConfig;
  /** The data of an event, in bytes. */
  readonly maxEventBytes: number;
  /** Why the app takes no call now, being disabled or over its quota; counts the call if it does. */
  refusal(): CallRefusal | undefined;
  /** The names of all occupied channels. */
  channels(): Iterable<string>;
  /** Undefined when nobody is in the channel. */
  channel(name: string): ChannelState | undefined;
  /** What a cache channel keeps, whether anybody is in it or not; undefined if it keeps nothing. */
  cached(name: string): CachedEvent | undefined;
  /** The ids of the users in a presence channel. */
  users(name: string): string[];
  /** Sends an event to a channel, that of the server's events for one user included. */
  publish(event: ChannelEvent): void;
  /** Closes the connections that signed in as a user, for good, and says how many. */
  terminateUser(userId: string): number;
}
