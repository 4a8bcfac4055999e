import type { App } from "../app.ts";
import { type AppSettings, isReserved } from "../app_config.ts";
import type { CachedEvent } from "../brokers/event_cache.ts";
import { exceededInfoLimit } from "../channels/channel_limits.ts";
import { Unavailable } from "../brokers/broker.ts";
import type { LimitCounters } from "../connections/limit_counters.ts";
import type { Publisher } from "../events/server_events.ts";
import { noOtherServers, type OtherServers } from "../other_servers.ts";
import { channelKind } from "../protocol/channel_names.ts";
import type { Member, MemberUpdate } from "../protocol/member.ts";
import type { Clock } from "../timing/clock.ts";

/** The size of an occupied channel, over all servers. */
export interface ChannelState {
  /** Users in it, each once; presence channels only. */
  userCount?: number;
  /** Connections that are subscribed; of a user in its leave grace, the one that may return. */
  subscriptionCount: number;
}

/** Why an app takes no call. */
export interface CallRejection {
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

/** One app on all servers, as the HTTP API and this server's own code use it. */
export class AppApi {
  readonly #app: App;
  readonly #clock: Clock;
  readonly #limitCounters: LimitCounters;
  readonly #others: OtherServers;

  /** @param others the servers beside this one; by default there are none. */
  constructor(
    app: App,
    clock: Clock,
    limitCounters: LimitCounters,
    others: OtherServers = noOtherServers,
  ) {
    this.#app = app;
    this.#clock = clock;
    this.#limitCounters = limitCounters;
    this.#others = others;
  }

  /** The credentials and rules that apply now. */
  get settings(): AppSettings {
    return this.#app.settings;
  }

  /** Counts a call. @returns why the app takes none now: it is disabled, or over its quota */
  takeCall(): CallRejection | undefined {
    const { enabled, maxApiRequestsPerSecond } = this.settings;
    if (!enabled) return { reason: "app_refused", message: "The app is disabled" };
    if (this.#app.apiCalls.allows(this.#clock.now(), maxApiRequestsPerSecond)) {
      return undefined;
    }
    this.#limitCounters.count("apiRequestsPerSecond");
    const message = `The app may make ${maxApiRequestsPerSecond} calls a second`;
    return { reason: "over_quota", message, retryAfterSeconds: 1 };
  }

  /**
   * The names of the occupied channels, without reserved ones.
   *
   * @throws {Unavailable} as all requests do, while the other servers cannot be asked.
   */
  async channels(): Promise<string[]> {
    const names = await this.#app.queries.channels();
    return names.filter((name) => !isReserved(this.settings, name));
  }

  /** The size of a channel; undefined when it is not occupied. */
  async channel(name: string): Promise<ChannelState | undefined> {
    return (await this.states([name]))[0];
  }

  /** The sizes of channels, in the order of their names; see {@link channel}. */
  async states(names: readonly string[]): Promise<(ChannelState | undefined)[]> {
    const sizes = names.length === 0 ? [] : await this.#app.queries.sizes(names);
    return sizes.map(({ members, subscribers }, index) => {
      if (channelKind(names[index]) === "presence") {
        return members > 0 ? { userCount: members, subscriptionCount: subscribers } : undefined;
      }
      return subscribers > 0 ? { subscriptionCount: subscribers } : undefined;
    });
  }

  /** The event that a cache channel keeps, whether it is occupied or not. */
  cached(name: string): Promise<CachedEvent | undefined> {
    return this.#app.queries.cached(name);
  }

  /** The ids of the users in a presence channel. */
  async users(name: string): Promise<string[]> {
    return (await this.members(name)).map(({ id }) => id);
  }

  /**
   * The members of a presence channel, whether it has subscribers on this server or not.
   *
   * @param ids of whom; absent: all, which can take seconds.
   */
  members(name: string, ids?: readonly string[]): Promise<Member[]> {
    return this.#app.queries.members(name, ids);
  }

  /**
   * Changes a member of a presence channel, whether it has subscribers on this server or not.
   *
   * @returns whether the user is a member.
   * @throws {Unavailable} when it may not have been changed.
   */
  updateMember(name: string, userId: string, update: MemberUpdate): Promise<boolean> {
    return this.#app.updateMember(name, userId, update);
  }

  /** Why a member may not have a `user_info`, if so; counted among what the limits refuse. @param info JSON text */
  infoFault(info: string): string | undefined {
    const fault = exceededInfoLimit(info, this.settings);
    if (fault !== undefined) this.#limitCounters.count("memberBytes");
    return fault;
  }

  /**
   * Sends an event to a channel, or to a user's own channel (`#server-to-user-ID`). Events that are sent
   * one after the other arrive in this order, without waiting for the first.
   *
   * @throws {Unavailable} when it may not have reached all servers.
   */
  async publish({ channel, name, data, except, from }: ChannelEvent): Promise<void> {
    if (!await this.#app.publish(channel, name, data, except, from)) throw new Unavailable();
  }

  /** Closes every connection of the user; see {@link AppConnections.terminateUser}. */
  terminateUser(userId: string): void {
    this.#app.connections.terminateUser(userId);
    this.#others.command(this.settings.id, { name: "terminateUser", userId });
  }
}
