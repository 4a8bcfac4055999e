import type { App } from "../app.ts";
import { type AppSettings, isReserved } from "../app_config.ts";
import type { CachedEvent } from "../channels/event_cache.ts";
import { PresenceChannel } from "../channels/presence_channel.ts";
import type { Refusals } from "../connections/refusals.ts";
import type { Publisher } from "../events/published_events.ts";
import type { Clock } from "../timing/clock.ts";

/** The size of an occupied channel. */
export interface ChannelState {
  /** Users in it, each once; presence channels only. */
  userCount?: number;
  /** Connections that are subscribed; of a user in its leave grace, the one that may return. */
  subscriptionCount: number;
}

/** Why an app takes no call. */
export interface CallRefusal {
  /** A constant word, for programs. */
  reason: "app_refused" | "over_quota";
  /** A sentence for the caller's developer. */
  message: string;
  /** When a call can succeed, where that is known. */
  retryAfterSeconds?: number;
}

/** An event to publish to a channel. */
export interface ChannelEvent {
  channel: string;
  name: string;
  /** As clients receive it. */
  data: string;
  /** The socket id of a subscriber that does not get it. */
  except?: string;
  from: Publisher;
}

/** One app, as the HTTP API and this server's own code use it. */
export class AppApi {
  readonly #app: App;
  readonly #clock: Clock;
  readonly #refusals: Refusals;

  constructor(app: App, { clock, refusals }: { clock: Clock; refusals: Refusals }) {
    this.#app = app;
    this.#clock = clock;
    this.#refusals = refusals;
  }

  /** The credentials and rules that apply now. */
  get settings(): AppSettings {
    return this.#app.settings;
  }

  /** Counts a call. @returns why the app takes none now: it is disabled, or over its quota */
  takeCall(): CallRefusal | undefined {
    const { enabled, maxApiRequestsPerSecond } = this.settings;
    if (!enabled) return { reason: "app_refused", message: "The app is disabled" };
    if (this.#app.apiCalls.allows(this.#clock.now(), maxApiRequestsPerSecond)) return undefined;
    this.#refusals.count("apiRequestsPerSecond");
    const message = `The app may make ${maxApiRequestsPerSecond} calls a second`;
    return { reason: "over_quota", message, retryAfterSeconds: 1 };
  }

  /** The names of the occupied channels, without those that are reserved. */
  channels(): Iterable<string> {
    return this.#app.hub.channels.values()
      .filter(({ name, isOccupied }) => isOccupied && !isReserved(this.settings, name))
      .map(({ name }) => name);
  }

  /** The size of a channel; undefined when it is not occupied. */
  channel(name: string): ChannelState | undefined {
    const channel = this.#app.hub.channels.get(name);
    if (!channel?.isOccupied) return undefined;
    if (!(channel instanceof PresenceChannel)) {
      return { subscriptionCount: channel.subscribers.size };
    }
    const { connections, members, tracker } = channel;
    return { userCount: members.size, subscriptionCount: connections + tracker.absent };
  }

  /** The event that a cache channel keeps, whether it is occupied or not. */
  cached(name: string): CachedEvent | undefined {
    return this.#app.hub.cached(name);
  }

  /** The ids of the users in a presence channel. */
  users(name: string): string[] {
    return this.#app.presence(name).userIds;
  }

  /** Sends an event to a channel, or to a user's own channel (`#server-to-user-ID`). */
  publish({ channel, name, data, except, from }: ChannelEvent): void {
    this.#app.publish(channel, name, data, except, from);
  }

  /** Sends an event to the channel's subscribers on this server only. */
  publishHere({ channel, name, data }: Pick<ChannelEvent, "channel" | "name" | "data">): void {
    this.#app.publishHere(channel, name, data);
  }

  /** See {@link App.terminateUser}. */
  terminateUser(userId: string): number {
    return this.#app.terminateUser(userId);
  }
}
