import type {
  Broker,
  BrokerOptions,
  BrokerStats,
  ChannelListener,
  ChannelSize,
  PublishOptions,
  Room,
} from "../../realtime/brokers/broker.ts";
import { type CachedEvent, cacheMs } from "../../realtime/brokers/event_cache.ts";
import type { LeaveReason } from "../../realtime/events/leave_reason.ts";
import { channelKind, isReported } from "../../realtime/protocol/channel_names.ts";
import { type Frame, frameOf } from "../../realtime/protocol/frame.ts";
import { Unavailable } from "../../realtime/brokers/unavailable.ts";
import { publishedData } from "../../realtime/protocol/outgoing.ts";
import type { Member } from "../../realtime/protocol/users.ts";
import type { IgnoredMessages } from "../messages/ignored_messages.ts";
import { memberText, readMember } from "../messages/member_text.ts";
import { frameMessage } from "../messages/room_message.ts";
import type { Redis } from "../redis/redis.ts";
import { roomOf, type SharedState } from "../state/shared_state.ts";
import { FollowedRooms } from "./followed_rooms.ts";
import { HeldUsers } from "./held_users.ts";
import type { Node, NodeListener } from "./node.ts";
import { OpenConnections } from "./open_connections.ts";

/** The shared data, as a broker uses them. */
type BrokerState = Pick<
  SharedState,
  "hold" | "occupied" | "publish" | "read" | "release" | "sizes" | "subscribers"
>;

/** What a {@link RedisBroker} is made with, besides the app. */
export interface RedisBrokerOptions {
  node: Node;
  state: BrokerState;
  redis: Pick<Redis, "subscribe" | "unsubscribe">;
  topicOf: (room: string) => string;
  /** Counts the messages of rooms that this release cannot read. */
  ignored: IgnoredMessages;
}

/**
 * The broker of an app on one of several servers. Redis decides who is a member; this server states whom
 * it holds and follows the rooms that have subscribers here. What an outage prevents is stated when it ends.
 */
export class RedisBroker implements Broker, NodeListener {
  readonly isShared = true;
  readonly #appId: string;
  readonly #node: Node;
  readonly #state: BrokerState;
  readonly #rooms: FollowedRooms;
  readonly #users: HeldUsers;
  readonly #maxCacheBytes: () => number;
  readonly #connections: OpenConnections;
  readonly #listeners = new Map<string, ChannelListener>();
  readonly #remove: () => void;

  constructor({ appId, clock, maxCacheBytes }: BrokerOptions, options: RedisBrokerOptions) {
    const { ignored, node, redis, state, topicOf } = options;
    this.#appId = appId;
    this.#maxCacheBytes = maxCacheBytes;
    this.#node = node;
    this.#state = state;
    const reportedApp = (room: string) => isReported(channelOf(room)) ? appId : undefined;
    this.#rooms = new FollowedRooms({
      ...{ node, state, redis, topicOf, clock, ignored },
      // Members occupy a presence channel; subscribers that only watch do not.
      appOf: (room) => channelKind(channelOf(room)) === "presence" ? undefined : reportedApp(room),
    });
    this.#users = new HeldUsers({
      ...{ node, state, appOf: reportedApp },
      held: (room, userId) => this.#listeners.get(room)?.onHeld(userId),
      full: (room, userId, limit) => this.#listeners.get(room)?.onFull(userId, limit),
    });
    this.#connections = new OpenConnections({ node, state, room: roomOf(appId, "#connections") });
    this.#remove = node.add(this);
  }

  open(channel: string, listener: ChannelListener): void {
    const room = this.#roomOf(channel);
    this.#listeners.set(room, listener);
    this.#rooms.open(room, listener);
  }

  close(channel: string): void {
    const room = this.#roomOf(channel);
    this.#listeners.delete(room);
    this.#rooms.close(room);
  }

  join(
    channel: string,
    member: Member,
    { isGuest, maxMembers: max, maxLoudMembers: maxLoud }: Room,
  ): void {
    const text = memberText(member);
    const room = this.#roomOf(channel);
    this.#users.join({ room, userId: member.id, member: text, isGuest, max, maxLoud });
  }

  leave(channel: string, userId: string, reason: LeaveReason): void {
    this.#users.leave(this.#roomOf(channel), userId, reason);
  }

  snapshot(channel: string): void {
    this.#rooms.read(this.#roomOf(channel));
  }

  subscribers(channel: string, count: number): void {
    this.#rooms.subscribers(this.#roomOf(channel), count);
  }

  connections(count: number): Promise<number | undefined> {
    return this.#connections.state(count);
  }

  /** It comes back from Redis to this server's own subscribers too: so all see one order. */
  async publish(
    channel: string,
    { text }: Frame,
    { except, isKept }: PublishOptions = {},
  ): Promise<boolean> {
    const message = frameMessage(text, { except, isKept });
    const cached = isKept ? { text, ttlMs: cacheMs, maxBytes: this.#maxCacheBytes() } : undefined;
    try {
      await this.#state.publish(this.#roomOf(channel), message, cached);
      return true;
    } catch {
      return false;
    }
  }

  kept(channel: string): Frame | undefined {
    return this.#rooms.kept(this.#roomOf(channel));
  }

  async cached(channel: string): Promise<CachedEvent | undefined> {
    const { cached } = await asked(this.#state.read(this.#roomOf(channel)));
    if (!cached) return undefined;
    return { data: publishedData(frameOf(cached.text)), ttl: Math.ceil(cached.ttlMs / 1_000) };
  }

  async channels(): Promise<string[]> {
    const rooms = await asked(this.#state.occupied(this.#appId));
    return rooms.map(channelOf);
  }

  sizes(channels: readonly string[]): Promise<ChannelSize[]> {
    return asked(this.#state.sizes(channels.map((channel) => this.#roomOf(channel))));
  }

  async members(channel: string): Promise<Member[]> {
    const { members } = await asked(this.#state.read(this.#roomOf(channel)));
    return Array.from(members, ([id, text]) => readMember(text) ?? { id, info: "{}" });
  }

  async restate(isNewLease: boolean): Promise<void> {
    await this.#connections.restate();
    await this.#users.restate(isNewLease);
    await this.#rooms.restate(isNewLease);
  }

  retry(): void {
    void this.#connections.retry();
    void this.#users.retry();
    void this.#rooms.retry();
  }

  stop(isRemoved: boolean): void {
    this.#remove();
    this.#users.stop(isRemoved);
    this.#rooms.stop(isRemoved);
    this.#listeners.clear();
  }

  stats(): BrokerStats {
    const { events, bytes } = this.#rooms.keptSize();
    return {
      brokerChannels: this.#rooms.size,
      brokerMembers: this.#users.size,
      cachedEvents: events,
      cachedBytes: bytes,
    };
  }

  #roomOf(channel: string): string {
    return roomOf(this.#appId, channel);
  }
}

/** The channel of a room; see {@link roomOf}. */
function channelOf(room: string): string {
  return room.slice(room.indexOf(":") + 1);
}

/** The answer of the shared data. @throws {Unavailable} with the cause when there is none */
async function asked<Answer>(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer;
  } catch (cause) {
    throw new Unavailable({ cause });
  }
}
