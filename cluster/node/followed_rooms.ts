import { cacheMs } from "../../realtime/brokers/event_cache.ts";
import type { ChannelListener } from "../../realtime/brokers/broker.ts";
import { type Frame, frameOf } from "../../realtime/protocol/frame.ts";
import type { Member } from "../../realtime/protocol/users.ts";
import type { Clock } from "../../realtime/timing/clock.ts";
import type { IgnoredMessages } from "../messages/ignored_messages.ts";
import { readMember } from "../messages/member_text.ts";
import { readRoomMessage, type RoomMessage } from "../messages/room_message.ts";
import type { Redis } from "../redis/redis.ts";
import type { OpenedRoom, SharedState } from "../state/shared_state.ts";
import { inGroups } from "./in_groups.ts";
import type { Node } from "./node.ts";

/** The least time between two statements of how many subscribers a room has, in milliseconds. */
const countEveryMs = 1_000;

/** Messages that wait for a room's members; of more, none is kept, and the members are read again. */
const maxWaiting = 10_000;

/** An event that a room keeps. */
interface KeptFrame {
  readonly frame: Frame;
  /** By the clock. */
  readonly expiresAt: number;
}

/** A room, as this server follows it. */
interface FollowedRoom {
  readonly name: string;
  /** The listener while the channel is open here. */
  listener: ChannelListener | undefined;
  /** Whether the listener has been told that the channel is open. */
  isOpened: boolean;
  isSubscribed: boolean;
  /** Receives the messages of its topic. */
  readonly receive: (message: string) => void;
  /** Whether the members have to be read. */
  isStale: boolean;
  /** Messages since the reading began; undefined while none does. */
  waiting: RoomMessage[] | undefined;
  kept: KeptFrame | undefined;
  /** The subscribers over all servers, as the listener knows. */
  total: number;
  count: number;
  statedCount: number;
  /** Whether the count was stated before, so that it is stated again. */
  isRepeated: boolean;
  /** Set while it is too early to state another count. */
  cancelCount: (() => void) | undefined;
  cancelSettled: (() => void) | undefined;
  settling: Promise<void> | undefined;
}

/** What {@link FollowedRooms} are made with. */
export interface FollowedRoomsOptions {
  node: Pick<Node, "name" | "isUp" | "lost" | "unsettledMs">;
  state: Pick<SharedState, "read" | "subscribers">;
  redis: Pick<Redis, "subscribe" | "unsubscribe">;
  /** The topic of a room. */
  topicOf: (room: string) => string;
  /** The app under which a room is logged as occupied by its subscribers; undefined: it is not. */
  appOf: (room: string) => string | undefined;
  clock: Clock;
  /** Counts what this release cannot read. */
  ignored: IgnoredMessages;
}

/**
 * The rooms of an app that this server follows: it subscribes to a room's topic first and then reads the
 * members, so that no event is missed; what comes meanwhile waits. One reading runs at a time.
 */
export class FollowedRooms {
  readonly #options: FollowedRoomsOptions;
  readonly #rooms = new Map<string, FollowedRoom>();

  constructor(options: FollowedRoomsOptions) {
    this.#options = options;
  }

  /** The number of rooms. */
  get size(): number {
    return this.#rooms.size;
  }

  /** The rooms that keep an event, and the bytes of those. */
  keptSize(): { events: number; bytes: number } {
    const kept = this.#rooms.values().map((room) => this.#keptOf(room)).filter((one) =>
      one !== undefined
    );
    const frames = Array.from(kept, ({ frame }) => frame.bytes);
    return { events: frames.length, bytes: frames.reduce((sum, bytes) => sum + bytes, 0) };
  }

  /** Follows a room. */
  open(name: string, listener: ChannelListener): void {
    const room = this.#rooms.get(name) ?? this.#add(name);
    Object.assign(room, { listener, isOpened: false, isStale: true, total: 0, count: 0 });
    this.#settle(room);
  }

  /** Follows a room no longer. */
  close(name: string): void {
    const room = this.#rooms.get(name);
    if (!room) return;
    this.#forget(room);
    room.count = 0;
    this.#settle(room);
  }

  /** Follows no room any longer. */
  closeAll(): void {
    for (const name of this.#rooms.keys()) this.close(name);
  }

  /** The listener of a room that is followed. */
  listenerOf(name: string): ChannelListener | undefined {
    return this.#rooms.get(name)?.listener;
  }

  /** Reads the members of a room again. */
  read(name: string): void {
    const room = this.#rooms.get(name);
    if (!room?.listener || room.waiting) return;
    room.isStale = true;
    this.#settle(room);
  }

  /** This server has a number of subscribers in a room. */
  subscribers(name: string, count: number): void {
    const room = this.#rooms.get(name);
    if (!room?.listener) return;
    room.count = count;
    this.#settle(room);
  }

  /** The frame that a room keeps. */
  kept(name: string): Frame | undefined {
    const room = this.#rooms.get(name);
    return room && this.#keptOf(room)?.frame;
  }

  /** Messages may have been missed: reads all rooms again. @param isNewLease whether no count is known any more */
  async restate(isNewLease: boolean): Promise<void> {
    const rooms = [...this.#rooms.values()];
    for (const room of rooms) {
      room.isStale = room.listener !== undefined;
      if (isNewLease) Object.assign(room, { isRepeated: room.statedCount > 0, statedCount: 0 });
    }
    await this.#settleAll(rooms);
  }

  /** Tries again what failed. Never rejects. */
  async retry(): Promise<void> {
    await this.#settleAll(Array.from(this.#rooms.values()).filter((room) => !this.#isDone(room)));
  }

  #settleAll(rooms: readonly FollowedRoom[]): Promise<void> {
    return inGroups(rooms, (room) => this.#settle(room), () => this.#options.node.isUp);
  }

  /** Knows of no room any more; the lease ends the subscribers of this server. */
  stop(): void {
    const { redis, topicOf } = this.#options;
    for (const room of this.#rooms.values()) {
      this.#forget(room);
      if (room.isSubscribed) void redis.unsubscribe(topicOf(room.name));
    }
    this.#rooms.clear();
  }

  #add(name: string): FollowedRoom {
    const room: FollowedRoom = {
      ...{ name, listener: undefined, isOpened: false, isSubscribed: false, isStale: false },
      ...{
        waiting: undefined,
        kept: undefined,
        total: 0,
        count: 0,
        statedCount: 0,
        isRepeated: false,
      },
      ...{ cancelCount: undefined, cancelSettled: undefined, settling: undefined },
      receive: (message) => this.#received(room, message),
    };
    this.#rooms.set(name, room);
    return room;
  }

  #forget(room: FollowedRoom): void {
    room.cancelCount?.();
    room.cancelSettled?.();
    Object.assign(room, { listener: undefined, isStale: false, waiting: undefined });
    Object.assign(room, { cancelCount: undefined, cancelSettled: undefined, kept: undefined });
  }

  #isDone(room: FollowedRoom): boolean {
    const isWanted = room.listener !== undefined;
    return room.isSubscribed === isWanted && !room.isStale &&
      (room.count === room.statedCount || room.cancelCount !== undefined);
  }

  /** Brings a room to what is meant, as far as Redis can be reached. Never rejects. */
  #settle(room: FollowedRoom): Promise<void> {
    return room.settling ??= this.#run(room);
  }

  async #run(room: FollowedRoom): Promise<void> {
    // What changes in this turn of the event loop is one change.
    await undefined;
    try {
      while (!this.#isDone(room) && this.#options.node.isUp) {
        await this.#step(room);
      }
    } catch {
      // The next beat tries again.
    }
    room.settling = undefined;
    const isGone = !room.listener && !room.isSubscribed && room.statedCount === 0;
    if (isGone && this.#rooms.get(room.name) === room) this.#rooms.delete(room.name);
  }

  async #step(room: FollowedRoom): Promise<void> {
    const { redis, topicOf } = this.#options;
    const isWanted = room.listener !== undefined;
    if (isWanted && !room.isSubscribed) {
      await redis.subscribe(topicOf(room.name), room.receive);
      room.isSubscribed = true;
    } else if (!isWanted && room.isSubscribed) {
      await redis.unsubscribe(topicOf(room.name));
      room.isSubscribed = false;
    } else if (room.isStale) await this.#read(room);
    else await this.#stateCount(room);
  }

  async #read(room: FollowedRoom): Promise<void> {
    const { listener } = room;
    room.isStale = false;
    room.waiting = [];
    try {
      const opened = await this.#options.state.read(room.name);
      if (room.listener !== listener || !listener) return;
      const { waiting } = room;
      room.waiting = undefined;
      this.#opened(room, listener, opened);
      for (const message of waiting ?? []) this.#dispatch(room, message);
    } catch (error) {
      room.isStale = room.listener !== undefined;
      throw error;
    } finally {
      room.waiting = undefined;
    }
  }

  #opened(room: FollowedRoom, listener: ChannelListener, opened: OpenedRoom): void {
    const { cached, isSettled, subscribers, version } = opened;
    const now = this.#options.clock.now();
    room.kept = cached && { frame: frameOf(cached.text), expiresAt: now + cached.ttlMs };
    const members = Array.from(opened.members.values(), (text) => this.#member(text))
      .filter((member) => member !== undefined);
    listener.onSnapshot({ version, members, ...!isSettled && { isUnsettled: true } });
    if (room.total !== subscribers) listener.onSubscribers(subscribers, false);
    room.total = subscribers;
    if (!isSettled) this.#readWhenSettled(room);
    if (room.isOpened) return;
    room.isOpened = true;
    listener.onOpened();
  }

  #readWhenSettled(room: FollowedRoom): void {
    const { clock, node } = this.#options;
    room.cancelSettled?.();
    room.cancelSettled = clock.after(Math.max(node.unsettledMs, 50), () => this.read(room.name));
  }

  async #stateCount(room: FollowedRoom): Promise<void> {
    const { appOf, clock, node, state } = this.#options;
    const { count, isRepeated } = room;
    const name = node.name!;
    const app = appOf(room.name);
    const answer = await state.subscribers(name, room.name, count, app, isRepeated);
    if (answer === "lost") {
      node.lost(name);
      throw new Error("The lease was lost");
    }
    Object.assign(room, { statedCount: count, isRepeated: false });
    if (!room.listener) return;
    room.cancelCount = clock.after(countEveryMs, () => {
      room.cancelCount = undefined;
      this.#settle(room);
    });
  }

  #received(room: FollowedRoom, text: string): void {
    if (!room.listener) return;
    const message = readRoomMessage(text);
    if ("fault" in message) return this.#options.ignored.add(message.fault, message.what);
    if (!room.waiting) return this.#dispatch(room, message);
    room.waiting.push(message);
    if (room.waiting.length <= maxWaiting) return;
    room.waiting = [];
    room.isStale = true;
  }

  #dispatch(room: FollowedRoom, message: RoomMessage): void {
    const { listener } = room;
    if (!listener) return;
    if (message.type === "frame") return this.#published(room, message);
    if (message.type === "subscribers") {
      const isOwn = message.reporter === this.#options.node.name;
      room.total = message.count;
      return listener.onSubscribers(message.count, isOwn);
    }
    const { previous, version } = message;
    if (message.type === "removed") {
      return listener.onMembership({ type: "removed", previous, version, userId: message.userId });
    }
    const member = this.#member(message.member);
    if (member) listener.onMembership({ type: "added", previous, version, member });
  }

  #published(
    room: FollowedRoom,
    { except, isKept, text }: Extract<RoomMessage, { type: "frame" }>,
  ): void {
    const frame = frameOf(text);
    const expiresAt = this.#options.clock.now() + cacheMs;
    if (isKept) room.kept = { frame, expiresAt };
    room.listener?.onPublished(frame, except);
  }

  #keptOf({ kept }: FollowedRoom): KeptFrame | undefined {
    return kept && kept.expiresAt > this.#options.clock.now() ? kept : undefined;
  }

  #member(text: string): Member | undefined {
    const member = readMember(text);
    if (!member) this.#options.ignored.add("malformed", "member");
    return member;
  }
}
