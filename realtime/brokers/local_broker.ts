import { type CachedEvent, EventCache } from "./event_cache.ts";
import type { ChannelServerEvent, LeaveReason } from "../events/server_events.ts";
import { channelKind, isReported } from "../protocol/channel_names.ts";
import type { Frame } from "../protocol/outgoing.ts";
import { type Member, type MemberUpdate, updatedMember } from "../protocol/member.ts";
import type {
  Broker,
  BrokerOptions,
  BrokerStats,
  ChannelListener,
  ChannelSize,
  PublishOptions,
} from "./broker.ts";

interface OpenChannel {
  readonly listener: ChannelListener;
  readonly members: Map<string, Member>;
  subscribers: number;
  version: number;
}

/** The broker of a single node: it keeps everything in memory and answers during the call. */
export class LocalBroker implements Broker {
  readonly isShared = false;
  readonly #channels = new Map<string, OpenChannel>();
  readonly #cache: EventCache;
  readonly #emit: (event: ChannelServerEvent) => void;
  readonly #maxCacheBytes: () => number;

  constructor({ clock, emit, maxCacheBytes }: Omit<BrokerOptions, "appId">) {
    this.#cache = new EventCache(clock);
    this.#emit = emit;
    this.#maxCacheBytes = maxCacheBytes;
  }

  open(name: string, listener: ChannelListener): void {
    this.#channels.set(name, { listener, members: new Map(), subscribers: 0, version: 0 });
    if (isReported(name) && !isPresence(name)) {
      this.#emit({ name: "channel_occupied", channel: name });
    }
    this.snapshot(name);
    listener.onOpened();
  }

  close(name: string): void {
    const channel = this.#channels.get(name);
    if (!channel) return;
    this.#channels.delete(name);
    if (!isReported(name)) return;
    const isOccupied = !isPresence(name) || channel.members.size > 0;
    const reason = "server_restart";
    for (const [userId, member] of channel.members) {
      this.#emit({ name: "member_removed", channel: name, userId, member, reason });
    }
    if (isOccupied) this.#emit({ name: "channel_vacated", channel: name });
  }

  join(name: string, member: Member): void {
    const channel = this.#channels.get(name);
    if (!channel) return;
    channel.listener.onClaimed(member.id);
    if (channel.members.has(member.id)) return;
    if (channel.members.size === 0 && isReported(name)) {
      this.#emit({ name: "channel_occupied", channel: name });
    }
    channel.members.set(member.id, member);
    const previous = channel.version++;
    channel.listener.onMembership({ type: "added", previous, version: channel.version, member });
    if (!isReported(name)) return;
    this.#emit({ name: "member_added", channel: name, userId: member.id, member });
  }

  leave(name: string, userId: string, reason: LeaveReason): void {
    const channel = this.#channels.get(name);
    const member = channel?.members.get(userId);
    if (!channel || !member) return;
    channel.members.delete(userId);
    const previous = channel.version++;
    const { version } = channel;
    channel.listener.onMembership({ type: "removed", previous, version, userId, reason });
    if (!isReported(name)) return;
    this.#emit({ name: "member_removed", channel: name, userId, member, reason });
    if (channel.members.size > 0) return;
    this.#emit({ name: "channel_vacated", channel: name });
  }

  update(
    name: string,
    userId: string,
    update: MemberUpdate,
    isReported: boolean,
  ): Promise<boolean> {
    const channel = this.#channels.get(name);
    const known = channel?.members.get(userId);
    if (!channel || !known) return Promise.resolve(false);
    const member = updatedMember(known, update);
    if (member === known) return Promise.resolve(true);
    channel.members.set(userId, member);
    const previous = channel.version++;
    channel.listener.onMembership({ type: "updated", previous, version: channel.version, member });
    const isSeen = isReported && member.info !== known.info;
    if (isSeen) this.#emit({ name: "member_updated", channel: name, userId, member });
    return Promise.resolve(true);
  }

  snapshot(name: string): void {
    const channel = this.#channels.get(name);
    if (!channel) return;
    const { listener, members, version } = channel;
    listener.onSnapshot({ version, members: [...members.values()] });
  }

  subscribers(name: string, count: number): void {
    const channel = this.#channels.get(name);
    if (!channel) return;
    channel.subscribers = count;
    channel.listener.onSubscribers(count, true);
  }

  connections(count: number): Promise<number> {
    return Promise.resolve(count);
  }

  publish(name: string, frame: Frame, { except, from = "api", isKept }: PublishOptions = {}): true {
    if (isKept) this.#cache.put(name, frame, this.#maxCacheBytes());
    this.#channels.get(name)?.listener.onPublished(frame, except, from);
    return true;
  }

  kept(name: string): Frame | undefined {
    return this.#cache.get(name);
  }

  cached(name: string): Promise<CachedEvent | undefined> {
    return Promise.resolve(this.#cache.event(name));
  }

  channels(): Promise<string[]> {
    const occupied = this.#channels.entries()
      .filter(([name, { members }]) => isReported(name) && (!isPresence(name) || members.size > 0));
    return Promise.resolve(Array.from(occupied, ([name]) => name));
  }

  sizes(names: readonly string[]): Promise<ChannelSize[]> {
    return Promise.resolve(names.map((name) => {
      const { members, subscribers = 0 } = this.#channels.get(name) ?? {};
      return { members: members?.size ?? 0, subscribers };
    }));
  }

  members(name: string, ids?: readonly string[]): Promise<Member[]> {
    const members = this.#channels.get(name)?.members ?? new Map<string, Member>();
    const some = ids?.map((id) => members.get(id)).filter((member) => member !== undefined);
    return Promise.resolve(some ?? [...members.values()]);
  }

  stop(): void {
    for (const name of [...this.#channels.keys()]) this.close(name);
    this.#cache.clear();
  }

  stats(): BrokerStats {
    const members = [...this.#channels.values()].map((channel) => channel.members.size);
    return {
      brokerChannels: this.#channels.size,
      brokerMembers: members.reduce((total, size) => total + size, 0),
      cachedEvents: this.#cache.size,
      cachedBytes: this.#cache.bytes,
    };
  }
}

/** Members occupy a presence channel; subscribers that only watch do not. */
function isPresence(channel: string): boolean {
  return channelKind(channel) === "presence";
}
