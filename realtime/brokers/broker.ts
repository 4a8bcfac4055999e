import type { CachedEvent } from "./event_cache.ts";
import type { ChannelServerEvent, LeaveReason, Publisher } from "../events/server_events.ts";
import type { Frame } from "../protocol/outgoing.ts";
import type { Member, MemberUpdate } from "../protocol/member.ts";
import type { Clock } from "../timing/clock.ts";

/**
 * A user joined, left or was changed in a presence channel, over all nodes. Each event names the version of its
 * channel that it follows, so a node that missed one notices the gap. Versions rise.
 */
export type Membership =
  & { readonly previous: number; readonly version: number }
  & ({ readonly type: "added" | "updated"; readonly member: Member } | {
    readonly type: "removed";
    readonly userId: string;
    /** How the last connection left, as far as it is known. */
    readonly reason?: LeaveReason;
  });

/** The members of a presence channel over all nodes, at a version. */
export interface Snapshot {
  readonly version: number;
  readonly members: readonly Member[];
  /**
   * Set after the nodes lost what they share, until all had time to register it again: members can be
   * missing who never left.
   */
  readonly isUnsettled?: boolean;
  /**
   * Set where further parts of the same version follow, in later ticks of the event loop; no event comes between
   * them. Until the last part, members that are in none of them may be in a later one.
   */
  readonly isPartial?: boolean;
  /**
   * How much work the removal of members that are in no part may be, in members; the rest is done by further
   * calls. Default: there is no limit.
   */
  readonly removedAtOnce?: number;
}

/** A channel of a node, as the broker sees it. None of these may throw. */
export interface ChannelListener {
  /** From now on the node receives what is published. A presence channel has got its first snapshot. */
  onOpened(): void;
  onMembership(event: Membership): void;
  /**
   * @returns true: members are left to remove, by another call with the version and no members, in a later tick
   * of the event loop. No event comes before.
   */
  onSnapshot(snapshot: Snapshot): boolean | void;
  /** The user is claimed: whatever other nodes do, it is a member until this node says that it left. */
  onClaimed(userId: string): void;
  /** The channel has no room: the node does not claim the user. @param limit of a {@link Room} */
  onFull(userId: string, limit: RoomLimit): void;
  /** A member, as the subscribers of this node know it. A node that registers the user again says the same. */
  listed(userId: string): Member | undefined;
  /**
   * @param except the socket id of a subscriber that does not get the frame.
   * @param from who published it.
   */
  onPublished(frame: Frame, except: string | undefined, from: Publisher): void;
  /** The number of subscribers over all nodes changed. @param isOwn whether this node is the one that reports it */
  onSubscribers(count: number, isOwn: boolean): void;
}

/** How much room a user finds in a presence channel. */
export interface Room {
  /** Guests take no room from users. */
  readonly isGuest: boolean;
  readonly maxMembers: number;
  /**
   * How many members may be full, that is, not quiet, over all nodes; undefined when the user joins
   * quietly. A user counts as a full member from a full join until it leaves on every node. After a quiet join, a
   * full one of the same user to the same node is counted, and not refused.
   */
  readonly maxFullMembers?: number;
}

/** What a presence channel has no room for: another member, or another full one. */
export type RoomLimit = "members" | "fullMembers";

/** What a broker does with a published frame. */
export interface PublishOptions {
  /** The socket id of a subscriber that does not get it. */
  readonly except?: string;
  /** Whether the channel keeps it for new subscribers, for `cacheMs`. */
  readonly isKept?: boolean;
  /** Who publishes it; by default, a call of the HTTP API. */
  readonly from?: Publisher;
}

/** The size of a channel over all nodes. */
export interface ChannelSize {
  readonly members: number;
  readonly subscribers: number;
}

/**
 * The seam between a node and all others. What concerns other nodes is answered through the channel's
 * listener: during the call, or later. A channel's events, snapshots and frames come only between
 * `open` and `close`. Joins and leaves, occupied and vacated are reported once over all nodes, to
 * the code that made the broker.
 */
export interface Broker {
  /** Whether there can be other nodes. */
  readonly isShared: boolean;
  /** This node has its first subscriber of a channel: a snapshot follows, `onOpened`, then events. */
  open(channel: string, listener: ChannelListener): void;
  /** This node no longer has a subscriber of the channel, nor a connection of any user in it. */
  close(channel: string): void;
  /**
   * This node has a connection of a user in a presence channel; repeating a call changes nothing. `onClaimed`
   * or `onFull` follows; an event only if no node had the user. The `info` of a user who is a member
   * already is ignored.
   */
  join(channel: string, member: Member, room: Room): void;
  /**
   * This node no longer has a connection of the user. An event follows only if no other node has one.
   *
   * @param reason how the user's last connection to this node left.
   */
  leave(channel: string, userId: string, reason: LeaveReason): void;
  /**
   * Changes a member, on whichever nodes it is: an event follows, unless nothing changed. No one joins or leaves.
   *
   * @param isReported whether it is reported as an event of the channel.
   * @returns whether the user is a member. @throws as {@link cached} does.
   */
  update(
    channel: string,
    userId: string,
    update: MemberUpdate,
    isReported: boolean,
  ): Promise<boolean>;
  /** Requests a snapshot, after a gap in the versions. */
  snapshot(channel: string): void;
  /** This node has a number of subscribers of an open channel; `onSubscribers` follows. */
  subscribers(channel: string, count: number): void;
  /**
   * This node has a number of open connections of the app.
   *
   * @returns the number over all nodes, those included that were lost less than a lease ago; undefined while
   * it cannot be found out. Each call counts those before it, of any node. Never rejects.
   */
  connections(count: number): Promise<number | undefined>;
  /**
   * Sends a frame to the channel's subscribers on every node, this one included.
   *
   * @returns whether it was sent; later, where it has to be sent to other nodes.
   */
  publish(channel: string, frame: Frame, options?: PublishOptions): true | Promise<boolean>;
  /** The frame that an open channel keeps. */
  kept(channel: string): Frame | undefined;
  /** The event that a channel keeps, open or not. @throws {Unavailable} when it cannot be found out now. */
  cached(channel: string): Promise<CachedEvent | undefined>;
  /** The names of the occupied channels. @throws as {@link cached} does. */
  channels(): Promise<string[]>;
  /** The sizes of channels, in the order of their names. @throws as {@link cached} does. */
  sizes(channels: readonly string[]): Promise<ChannelSize[]>;
  /** The members of a presence channel. @param ids of whom, if not of all. @throws as {@link cached} does. */
  members(channel: string, ids?: readonly string[]): Promise<Member[]>;
  /**
   * Sends nothing more to listeners. Of two brokers of an app, the next one is used after this call for the
   * previous one.
   *
   * @param isRemoved whether the app is no longer served, so that its users leave at once; otherwise the server
   * stops, and they may return to another one.
   */
  stop(isRemoved: boolean): void;
  /** The number of entries in memory, by what they are. */
  stats(): BrokerStats;
}

/** What can be asked of channels, open or not. */
export type ChannelQueries = Pick<Broker, "cached" | "channels" | "members" | "sizes">;

/** See {@link Broker.stats}. */
export interface BrokerStats {
  /** Channels that are open. */
  readonly brokerChannels: number;
  /** Members of open channels, as far as the broker itself keeps them. */
  readonly brokerMembers: number;
  /** Events that cache channels keep, and their bytes. */
  readonly cachedEvents: number;
  readonly cachedBytes: number;
}

/** What the broker of an app is made with. */
export interface BrokerOptions {
  readonly appId: string;
  readonly clock: Clock;
  /** Receives joins and leaves, and which channels are occupied and vacated; each on one node only. */
  readonly emit: (event: ChannelServerEvent) => void;
  /** How much the cache channels may keep together, in bytes. */
  readonly maxCacheBytes: () => number;
}

/** Makes the broker of an app. */
export type MakeBroker = (options: BrokerOptions) => Broker;

/**
 * What the servers share cannot be read or changed now: they do not reach what is between them. What was
 * asked may have been carried out nevertheless.
 */
export class Unavailable extends Error {
  override name = "Unavailable";

  constructor(options?: ErrorOptions) {
    super("The servers cannot reach each other right now", options);
  }
}
