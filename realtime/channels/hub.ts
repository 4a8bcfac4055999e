/**
 * The channels of an app: subscriptions of connections, and when a channel opens and closes.
 *
 * Commands have already checked the signature. The hub finds or opens the channel, which has the broker follow it,
 * and a presence channel goes on from there: its tracker counts this server's connections of each user, the broker
 * decides who is a member over all servers, and its member list turns answers into changes, each of which is
 * encoded once for all who are sent it.
 *
 * The promise: a channel is open while it has a subscriber, a user in the leave grace or a follower; then it is
 * gone, with its timers and its place in the limits. When the server is about to stop, users stay members, so no
 * leave is announced that only the stop caused.
 *
 * The trade-off: leaves are announced at the end of a tick of the event loop, and in large channels the
 * number goes to quiet members in intervals. So a burst costs few frames, and the last number is always sent.
 *
 * @module
 */
import type { AppSettings } from "../app_config.ts";
import type { Broker, PublishOptions, RoomLimit } from "../brokers/broker.ts";
import type { Connection } from "../connections/connection.ts";
import {
  type Departure,
  departures,
  type LeaveReason,
  type Publisher,
  type ServerEvent,
} from "../events/server_events.ts";
import { channelKind, isCacheChannel } from "../protocol/channel_names.ts";
import type { Limits } from "../options.ts";
import { cacheMiss, type Frame } from "../protocol/outgoing.ts";
import type { Member } from "../protocol/member.ts";
import { type Clock, Deadlines } from "../timing/clock.ts";
import { Channel } from "./channel.ts";
import { channelStats } from "./channel_stats.ts";
import {
  type ChannelLimit,
  type ChannelLimits,
  ChannelQuota,
  exceededPresenceLimit,
  type PresenceLimit,
} from "./channel_limits.ts";
import { LeaveGrace } from "./presence_tracker.ts";
import type { MemberChange } from "./member_list.ts";
import { memberCounts, type PacedCounts, SubscriptionCounts } from "./counts.ts";
import { PresenceChannel, type PresenceContext } from "./presence_channel.ts";
import { isQuietChannel } from "./reported_pages.ts";

/** What a hub needs besides its broker. */
export interface HubOptions {
  clock: Clock;
  /** How long a user whose last connection closed stays a member; 0: not at all. */
  presenceGraceMs: number;
  /** The app's rules as they are now. */
  settings: () => AppSettings;
  /** The members or connections of a presence channel changed. */
  changed: (channel: PresenceChannel<Connection>, userId?: string) => void;
  /** A user of this node is active, idle or neither from now on. */
  activityChanged: (channel: string, userId: string) => void;
  /** A connection has subscribed; with the member that it joined a presence channel as. */
  joined: (channel: string, member?: Member) => void;
  /** A frame that was published to the channel reached this node. */
  published: (channel: string, frame: Frame, from: Publisher) => void;
  /** The subscribers of this node were sent their number over all nodes. */
  countSent: (channel: string, frame: Frame) => void;
  /** The list of a presence channel changed, as this node knows it. */
  memberChanged: (channel: string, change: MemberChange) => void;
  /** The channel has nothing left on this node. */
  closed: (channel: string) => void;
  /** A channel was full for a connection that had subscribed, as others came first on other nodes. */
  refused: (connection: Connection, channel: string, limit: RoomLimit) => void;
  isGuest: (userId: string) => boolean;
  limits: ChannelLimits & Pick<Limits, "maxMemberListLength">;
  emit: (event: ServerEvent) => void;
}

/**
 * The channels of one app: adds and removes connections, opens a channel with its first subscriber
 * and closes it with its last. Whether a connection may subscribe is decided before.
 */
export class Hub {
  /** Channels with a connection, or with a user in its leave grace; by name. */
  readonly channels = new Map<string, Channel<Connection>>();
  readonly #context: PresenceContext<Connection>;
  readonly #options: HubOptions;
  readonly #quota: ChannelQuota;
  readonly #subscriptionCounts: SubscriptionCounts<Channel<Connection>>;
  readonly #memberCounts: PacedCounts<PresenceChannel<Connection>>;
  /** Presence channels that have to tell subscribers of changes in this tick of the event loop. */
  readonly #endingTick: Deadlines<PresenceChannel<Connection>>;
  #isPaused = false;

  constructor(broker: Broker, options: HubOptions) {
    const { changed, clock, emit, isGuest, presenceGraceMs } = options;
    this.#options = options;
    this.#quota = new ChannelQuota(options.limits);
    const isEnabled = () => options.settings().subscriptionCount;
    this.#subscriptionCounts = new SubscriptionCounts(clock, isEnabled, emit, options.countSent);
    this.#memberCounts = memberCounts(clock);
    this.#endingTick = new Deadlines(0, (channel) => channel.endTick(), clock);
    this.#context = {
      broker,
      clock,
      grace: new LeaveGrace(presenceGraceMs, clock),
      isGuest,
      maxMembers: () => options.settings().presenceMaxMembers,
      maxFullMembers: () => options.settings().presenceMaxFullMembers,
      joined: (connection, channel) => this.#joined(connection, channel),
      refused: (connection, channel, limit) => this.#refused(connection, channel, limit),
      sized: (channel) => {
        if (!(channel instanceof PresenceChannel)) this.#subscriptionCounts.changed(channel);
      },
      published: ({ name }, frame, from) => options.published(name, frame, from),
      memberChanged: ({ name }, change) => options.memberChanged(name, change),
      activityOf: ({ subscriptions }, channel) => subscriptions.get(channel)?.activity,
      activityChanged: ({ name }, userId) => options.activityChanged(name, userId),
      changed,
      endsTick: (channel) => this.#endingTick.add(channel),
      counted: (channel) => this.#memberCounts.changed(channel),
      expired: (channel) => {
        this.#count(channel);
        this.#closeIfEmpty(channel);
      },
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
   * With options that say `observe`, it watches and is no member.
   * @returns the limit of a presence channel that the subscription would exceed; then nothing changed.
   */
  subscribe(connection: Connection, name: string, member?: Member): PresenceLimit | undefined {
    if (!member || channelKind(name) !== "presence") {
      const channel = this.#open(name, connection.address);
      connection.subscriptions.set(name, noUser);
      channel.join(connection);
      return undefined;
    }
    const settings = this.#options.settings();
    const { observe, quiet } = member.options ?? {};
    const isQuiet = quiet ?? (!observe && isQuietChannel(settings, name));
    const { maxMemberListLength } = this.#options.limits;
    const existing = this.presence(name);
    const limit = existing &&
      exceededPresenceLimit(existing, member, isQuiet, settings, maxMemberListLength);
    if (limit) return limit;
    const channel = this.#open(name, connection.address) as PresenceChannel<Connection>;
    if (observe) {
      connection.subscriptions.set(name, { observerId: member.id });
      channel.observe(connection, isQuiet);
    } else {
      connection.subscriptions.set(name, { userId: member.id });
      channel.joinAs(connection, member, isQuiet);
    }
    return undefined;
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
    if (this.#isPaused && this.#context.broker.isShared) return;
    if (!channel.isEmpty || this.channels.get(channel.name) !== channel) return;
    this.channels.delete(channel.name);
    this.#quota.closed(channel);
    if (channel instanceof PresenceChannel) this.#forget(channel);
    this.#context.broker.close(channel.name);
    this.#options.closed(channel.name);
  }

  #forget(channel: PresenceChannel<Connection>): void {
    this.#memberCounts.delete(channel);
    this.#endingTick.delete(channel);
  }

  #joined(connection: Connection, channel: Channel<Connection>): void {
    const { name } = channel;
    if (isCacheChannel(name)) {
      const frame = this.#context.broker.kept(name) ?? this.#missed(connection, name);
      if (channel instanceof PresenceChannel) channel.sendAfterList(connection, frame);
      else connection.send(frame);
    }
    this.#count(channel);
    const userId = connection.subscriptions.get(name)?.userId;
    const member = userId === undefined ? undefined : this.presence(name)?.members.get(userId);
    this.#options.joined(name, member);
  }

  /** An observer's miss is no webhook: what answers it would reach the members. */
  #missed({ subscriptions }: Connection, channel: string): Frame {
    if (subscriptions.get(channel)?.observerId === undefined) {
      this.#options.emit({ name: "cache_miss", channel });
    }
    return cacheMiss(channel);
  }

  #refused(
    connection: Connection,
    channel: PresenceChannel<Connection>,
    limit: RoomLimit,
  ): void {
    connection.subscriptions.delete(channel.name);
    this.#options.refused(connection, channel.name, limit);
    this.#count(channel);
    this.#closeIfEmpty(channel);
  }

  #count(channel: Channel<Connection>): void {
    const { broker } = this.#context;
    if (this.#isPaused && !broker.isShared) return;
    const absent = channel instanceof PresenceChannel ? channel.tracker.absent : 0;
    const count = channel instanceof PresenceChannel
      ? channel.connections
      : channel.subscribers.size;
    // Users who move are counted where they are, and keep the channel occupied until they are there.
    broker.subscribers(channel.name, this.#isPaused ? Math.max(1, count) : count + absent);
  }

  /** Keeps a channel open without subscribers, so that what happens in it is known. @returns unfollow */
  follow(name: string): () => void {
    const channel = this.#open(name, undefined);
    channel.followers++;
    let isFollowing = true;
    return () => {
      if (isFollowing) channel.followers--;
      isFollowing = false;
      this.#closeIfEmpty(channel);
    };
  }

  /**
   * Sends an event of the app's server to a channel's subscribers on every node; a cache channel keeps
   * it.
   *
   * @param except the socket id of a subscriber that does not get it.
   * @returns whether it was sent.
   */
  publish(
    name: string,
    frame: Frame,
    { except, from }: PublishOptions = {},
  ): true | Promise<boolean> {
    return this.#context.broker.publish(name, frame, {
      except,
      from,
      isKept: isCacheChannel(name),
    });
  }

  /** Sends a client event to the other subscribers on every node; it is never kept. */
  relay(name: string, frame: Frame, sender: string): void {
    this.#context.broker.publish(name, frame, { except: sender, from: "client" });
  }

  /**
   * The server is about to close its connections: each gets a leave grace that does not end. A single
   * server sends no count; one of several keeps its channels open, whose clients move to the others.
   */
  pause(): void {
    this.#isPaused = true;
    this.#context.grace.pause();
  }

  /** Closes every channel and cancels every timer. @param isRemoved see {@link Broker.stop} */
  close(isRemoved: boolean): void {
    this.#context.grace.stop();
    this.#subscriptionCounts.stop();
    this.#memberCounts.stop();
    this.#endingTick.stop();
    this.#context.broker.stop(isRemoved);
    for (const channel of this.channels.values()) this.#quota.closed(channel);
    this.channels.clear();
  }

  /** The number of entries in memory, by what they are. */
  stats() {
    return {
      ...channelStats(this.channels.values()),
      ...this.#quota.stats(),
      /** Users of whom a connection closed within the leave grace. */
      leaving: this.#context.grace.size,
      /** Channels so large that their count is sent in intervals. */
      countedInIntervals: this.#subscriptionCounts.size + this.#memberCounts.size,
    };
  }
}

/** Shared by all subscriptions to public and private channels, as there are many. */
const noUser = {};
