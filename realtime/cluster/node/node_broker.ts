import {
  type Broker,
  type BrokerOptions,
  type BrokerStats,
  type ChannelListener,
  type ChannelSize,
  type PublishOptions,
  type Room,
  Unavailable,
} from "../../brokers/broker.ts";
import { type CachedEvent, cacheMs } from "../../brokers/event_cache.ts";
import type { LeaveReason } from "../../events/server_events.ts";
import { type Frame, frameOf, publishedData } from "../../protocol/outgoing.ts";
import { type Member, type MemberUpdate, updatedMember } from "../../protocol/member.ts";
import {
  frameMessage,
  memberText,
  readMember,
  readMembers,
  readMembersInSteps,
} from "../messages/room_message.ts";
import {
  channelOf,
  membersInSteps,
  roomOf,
  type SharedState,
  type UpdateReply,
} from "../state/shared_state.ts";
import type { Clock } from "../../timing/clock.ts";
import { AppOnNode } from "./app_on_node.ts";
import type { NodeParts } from "./followed_rooms.ts";

/** As often as others change the same member meanwhile, an update is tried again. */
const mostUpdateAttempts = 100;

/**
 * The broker of an app on one of several servers. The engine decides who is a member; this server registers whom
 * it claims, and follows the rooms that have subscribers here. What an outage prevents is registered when it ends.
 */
class NodeBroker implements Broker {
  readonly isShared = true;
  readonly #appId: string;
  readonly #state: SharedState;
  readonly #maxCacheBytes: () => number;
  /** Undefined once the broker is stopped: it changes nothing of what the next one registers. */
  #app: AppOnNode | undefined;

  constructor({ appId, maxCacheBytes }: BrokerOptions, app: AppOnNode, state: SharedState) {
    this.#appId = appId;
    this.#maxCacheBytes = maxCacheBytes;
    this.#state = state;
    this.#app = app;
    app.use();
  }

  open(channel: string, listener: ChannelListener): void {
    this.#app?.rooms.open(this.#roomOf(channel), listener);
  }

  close(channel: string): void {
    this.#app?.rooms.close(this.#roomOf(channel));
  }

  join(
    channel: string,
    member: Member,
    { isGuest, maxMembers: max, maxFullMembers: maxFull }: Room,
  ): void {
    const text = memberText(member);
    const room = this.#roomOf(channel);
    this.#app?.users.join({ room, userId: member.id, member: text, isGuest, max, maxFull });
  }

  leave(channel: string, userId: string, reason: LeaveReason): void {
    this.#app?.users.leave(this.#roomOf(channel), userId, reason);
  }

  async update(
    channel: string,
    userId: string,
    update: MemberUpdate,
    isReported: boolean,
  ): Promise<boolean> {
    for (let attempts = 0; attempts < mostUpdateAttempts; attempts++) {
      const answer = await asked(this.#update(channel, userId, update, isReported));
      if (answer === "updated") return true;
      if (answer === "absent") return false;
      if (answer === "late") break;
    }
    throw new Unavailable();
  }

  async #update(
    channel: string,
    userId: string,
    update: MemberUpdate,
    isReported: boolean,
  ): Promise<UpdateReply> {
    const room = this.#roomOf(channel);
    const [before] = await this.#state.members(room, [userId]);
    const known = before === undefined ? undefined : readMember(before);
    const member = known && updatedMember(known, update);
    if (known && member === known) return "updated";
    const app = isReported && member?.info !== known?.info ? this.#appId : undefined;
    // The engine knows whether who is missing may be registered again.
    return await this.#state.update({
      room,
      userId,
      before: known && before,
      member: member ? memberText(member) : "",
      app,
    });
  }

  snapshot(channel: string): void {
    this.#app?.rooms.read(this.#roomOf(channel));
  }

  subscribers(channel: string, count: number): void {
    this.#app?.rooms.subscribers(this.#roomOf(channel), count);
  }

  async connections(count: number): Promise<number | undefined> {
    return await this.#app?.connections.stateCount(count);
  }

  /** It comes back from the engine to this server's own subscribers too: so all see one order. */
  async publish(
    channel: string,
    { text }: Frame,
    { except, from, isKept }: PublishOptions = {},
  ): Promise<boolean> {
    const message = frameMessage(text, { except, from, isKept });
    const cached = isKept ? { text, ttlMs: cacheMs, maxBytes: this.#maxCacheBytes() } : undefined;
    try {
      await this.#state.publish(this.#roomOf(channel), message, cached);
      return true;
    } catch {
      return false;
    }
  }

  kept(channel: string): Frame | undefined {
    return this.#app?.rooms.kept(this.#roomOf(channel));
  }

  async cached(channel: string): Promise<CachedEvent | undefined> {
    const cached = await asked(this.#state.cached(this.#roomOf(channel)));
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

  async members(channel: string, ids?: readonly string[]): Promise<Member[]> {
    const room = this.#roomOf(channel);
    if (!ids) return await asked(this.#membersOf(room));
    return readMembers(await asked(this.#state.members(room, ids)));
  }

  async #membersOf(room: string): Promise<Member[]> {
    const opened = await this.#state.read(room);
    return await readMembersInSteps(membersInSteps(this.#state, room, opened));
  }

  stop(isRemoved: boolean): void {
    this.#app?.leave(isRemoved);
    this.#app = undefined;
  }

  stats(): BrokerStats {
    const { rooms, users } = this.#app ?? {};
    const { events = 0, bytes = 0 } = rooms?.keptSize() ?? {};
    return {
      brokerChannels: rooms?.size ?? 0,
      brokerMembers: users?.size ?? 0,
      cachedEvents: events,
      cachedBytes: bytes,
    };
  }

  #roomOf(channel: string): string {
    return roomOf(this.#appId, channel);
  }
}

/** The answer of the shared data. @throws {Unavailable} with the cause when there is none */
async function asked<Answer>(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer;
  } catch (cause) {
    throw new Unavailable({ cause });
  }
}

/** Makes the brokers of a server's apps. The next one of an app continues with what the previous one registered. */
export class NodeBrokers {
  readonly #parts: NodeParts;
  readonly #apps = new Map<string, AppOnNode>();

  constructor(parts: NodeParts) {
    this.#parts = parts;
  }

  /** Makes the broker of an app. */
  readonly make = (options: BrokerOptions): Broker => {
    const { appId, clock } = options;
    const app = this.#apps.get(appId) ?? this.#add(appId, clock);
    return new NodeBroker(options, app, this.#parts.state);
  };

  #add(appId: string, clock: Clock): AppOnNode {
    const ended = () => {
      if (this.#apps.get(appId) === app) this.#apps.delete(appId);
    };
    const app = new AppOnNode(appId, clock, this.#parts, ended);
    this.#apps.set(appId, app);
    return app;
  }
}
