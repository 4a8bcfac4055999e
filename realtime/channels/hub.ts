import type { AppSettings } from "../app_config.ts";
import type { Broker } from "../brokers/broker.ts";
import type { Connection } from "../connections/connection.ts";
import { type Departure, departures, type LeaveReason } from "../events/leave_reason.ts";
import type { ServerEvent } from "../events/server_events.ts";
import { channelKind, isCacheChannel } from "../protocol/channel_names.ts";
import type { Frame } from "../protocol/frame.ts";
import { cacheMiss, subscriptionCount } from "../protocol/outgoing.ts";
import type { Member } from "../protocol/users.ts";
import type { Clock } from "../timing/clock.ts";
import { Channel, type ChannelContext, PresenceChannel } from "./channel.ts";
import { channelStats } from "./channel_stats.ts";
import { type ChannelLimit, type ChannelLimits, ChannelQuota } from "./channel_quota.ts";
import { type CachedEvent, EventCache } from "./event_cache.ts";
import { LeaveGrace } from "./leave_grace.ts";
import { SubscriptionCounts } from "./subscription_counts.ts";

/** What a hub needs besides its broker. */
export interface HubOptions {
  clock: Clock;
  /** How long a user whose last connection closed stays a member; 0: not at all. */
  presenceGraceMs: number;
  /** The app's rules as they are now. */
  settings: () => Pick<AppSettings, "maxCacheBytes" | "presenceMaxMembers" | "subscriptionCount">;
  /** The members or connections of a presence channel changed. */
  changed: (channel: PresenceChannel<Connection>) => void;
  /** A connection has subscribed. */
  joined: (channel: string) => void;
  isGuest: (userId: string) => boolean;
  limits: ChannelLimits;
  emit: (event: ServerEvent) => void;
}

/**
 * The channels of one app: adds and removes connections, opens a channel with its first subscriber
 * and closes it with its last. Whether a connection may subscribe is decided before.
 */
export class Hub {
  /** Channels with a connection, or with a user in its leave grace; by name. */
  readonly channels = new Map<string, Channel<Connection>>();
  readonly #context: ChannelContext<Connection>;
  readonly #options: HubOptions;
  readonly #cache: EventCache;
  readonly #quota: ChannelQuota;
  readonly #counts: SubscriptionCounts<Channel<Connection>>;
  #isHeld = false;

  constructor(broker: Broker, options: HubOptions) {
    const { changed, clock, emit, isGuest, presenceGraceMs } = options;
    this.#options = options;
    this.#cache = new EventCache(clock);
    this.#quota = new ChannelQuota(options.limits);
    this.#counts = new SubscriptionCounts((channel) => this.#sendCount(channel), clock);
    this.#context = {
      broker,
      grace: new LeaveGrace(presenceGraceMs, clock),
      isGuest,
      joined: (connection, channel) => this.#joined(connection, channel),
      changed: (channel) => changed(channel as PresenceChannel<Connection>),
      expired: (channel) => this.#closeIfEmpty(channel),
      emit,
    };
  }

  /** The presence channel of this name, if there is one. */
  presence(name: string): PresenceChannel<Connection> | undefined {
    const channel = this.channels.get(name);
    return channel instanceof PresenceChannel ? channel : undefined;
  }

  /** The limit that opening a channel would exceed, if one; a channel that is open exceeds none. */
  exceededBy(name: string, address: string | undefined): ChannelLimit | undefined {
    return this.channels.has(name) ? undefined : this.#quota.exceededBy(name, address);
  }

  /**
   * Subscribes a connection to a channel.
   *
   * @param member whom the connection joins as; required for presence channels, ignored for others.
   * With a profile that says `observe`, it watches and is no member.
   * @returns "full" when a presence channel has no room for the member; then nothing changed.
   */
  subscribe(connection: Connection, name: string, member?: Member): "full" | undefined {
    if (!member || channelKind(name) !== "presence") {
      const channel = this.#open(name, connection.address);
      connection.subscriptions.set(name, noUser);
      channel.join(connection);
      return undefined;
    }
    if (member.profile?.observe) {
      this.#observe(connection, name, member.id);
      return undefined;
    }
    const { presenceMaxMembers } = this.#options.settings();
    if (this.presence(name)?.hasRoomFor(member.id, presenceMaxMembers) === false) return "full";
    const channel = this.#open(name, connection.address) as PresenceChannel<Connection>;
    connection.subscriptions.set(name, { userId: member.id });
    channel.joinAs(connection, member);
    return undefined;
  }

  #observe(connection: Connection, name: string, observerId: string): void {
    const channel = this.#open(name, connection.address) as PresenceChannel<Connection>;
    connection.subscriptions.set(name, { observerId });
    channel.observe(connection);
  }

  /** Removes a connection from a channel because its client unsubscribed. False if it is not in it. */
  unsubscribe(connection: Connection, name: string): boolean {
    return this.#leave(connection, name, departures.unsubscribed);
  }

  /** Removes a connection from all its channels. */
  release(connection: Connection, departure: Departure): void {
    for (const name of connection.subscriptions.keys()) this.#leave(connection, name, departure);
  }

  /** Ends the leave grace of a user in every presence channel: without a connection, it leaves now. */
  endGrace(userId: string, reason: LeaveReason): void {
    this.#context.grace.end(userId, reason);
  }

  #leave(connection: Connection, name: string, departure: Departure): boolean {
    const subscription = connection.subscriptions.get(name);
    if (!subscription) return false;
    connection.subscriptions.delete(name);
    const channel = this.channels.get(name);
    if (!channel) return true;
    channel.leave(connection, subscription.userId, departure);
    this.#count(channel);
    this.#closeIfEmpty(channel);
    return true;
  }

  #open(name: string, address: string | undefined): Channel<Connection> {
    const existing = this.channels.get(name);
    if (existing) return existing;
    const channel = channelKind(name) === "presence"
      ? new PresenceChannel(name, this.#context)
      : new Channel(name, this.#context);
    this.channels.set(name, channel);
    channel.openedFrom = address;
    this.#quota.opened(channel);
    this.#context.broker.open(name, channel);
    return channel;
  }

  #closeIfEmpty(channel: Channel<Connection>): void {
    if (!channel.isEmpty || this.channels.get(channel.name) !== channel) return;
    this.channels.delete(channel.name);
    this.#quota.closed(channel);
    this.#context.broker.close(channel.name);
  }

  #joined(connection: Connection, channel: Channel<Connection>): void {
    const { name } = channel;
    if (isCacheChannel(name)) {
      connection.send(this.#cache.get(name) ?? this.#missed(connection, name));
    }
    this.#count(channel);
    this.#options.joined(name);
  }

  /** An observer's miss is no webhook: what answers it would reach the members. */
  #missed({ subscriptions }: Connection, channel: string): Frame {
    if (subscriptions.get(channel)?.observerId === undefined) {
      this.#options.emit({ name: "cache_miss", channel });
    }
    return cacheMiss(channel);
  }

  #count(channel: Channel<Connection>): void {
    if (!this.#options.settings().subscriptionCount || this.#isHeld) return;
    if (!(channel instanceof PresenceChannel)) this.#counts.changed(channel);
  }

  #sendCount(channel: Channel<Connection>): void {
    const { name, subscribers: { size } } = channel;
    channel.send(subscriptionCount(name, size));
    this.#options.emit({ name: "subscription_count", channel: name, count: size });
  }

  /**
   * Sends an event of the app's server to a channel's subscribers on every node; a cache channel keeps
   * it.
   *
   * @param except the socket id of a subscriber that does not get it.
   */
  publish(name: string, frame: Frame, except?: string): void {
    if (isCacheChannel(name)) this.#cache.put(name, frame, this.#options.settings().maxCacheBytes);
    this.#context.broker.publish(name, frame, except);
  }

  /** Sends a client event to the other subscribers on every node; it is never kept. */
  relay(name: string, frame: Frame, sender: string): void {
    this.#context.broker.publish(name, frame, sender);
  }

  /** The event that a cache channel keeps, if any. */
  cached(name: string): CachedEvent | undefined {
    return this.#cache.event(name);
  }

  /**
   * The server is about to close its connections: each gets a leave grace that does not end, and no
   * count is sent.
   */
  hold(): void {
    this.#isHeld = true;
    this.#context.grace.hold();
  }

  /** Closes every channel and cancels every timer. */
  close(): void {
    this.#context.grace.stop();
    this.#cache.clear();
    this.#counts.stop();
    for (const channel of this.channels.values()) {
      this.#context.broker.close(channel.name);
      this.#quota.closed(channel);
    }
    this.channels.clear();
  }

  /** The number of entries in memory, by what they are. */
  stats() {
    return {
      ...channelStats(this.channels.values()),
      ...this.#quota.stats(),
      /** Users of whom a connection closed within the leave grace. */
      leaving: this.#context.grace.size,
      /** Events that cache channels keep, and their bytes. */
      cachedEvents: this.#cache.size,
      cachedBytes: this.#cache.bytes,
      /** Channels so large that their count is sent in intervals. */
      countedInIntervals: this.#counts.size,
    };
  }
}

/** Shared by all subscriptions to public and private channels, as there are many. */
const noUser = {};
