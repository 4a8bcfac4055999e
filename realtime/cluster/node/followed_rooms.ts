import type { ChannelListener } from "../../brokers/broker.ts";
import type { Frame } from "../../protocol/outgoing.ts";
import type { Clock } from "../../timing/clock.ts";
import type { IgnoredMessages } from "../messages/room_message.ts";
import type { Link } from "../engine.ts";
import { membersInSteps, type SharedState } from "../state/shared_state.ts";
import { inGroups } from "./claimed_users.ts";
import type { Node } from "./node.ts";
import { RoomFeed } from "./room_feed.ts";

/** The least time between two reports of how many subscribers a room has, in milliseconds. */
const countEveryMs = 1_000;

/** A room, as this server follows it. */
interface FollowedRoom {
  readonly name: string;
  /** It has a listener while the channel is open here. */
  readonly feed: RoomFeed;
  isSubscribed: boolean;
  count: number;
  /** The count that the engine has under the name {@link node}; undefined: a call failed, and may have been carried out. */
  registeredCount: number | undefined;
  /** The name of this server when it reported a count last. Under later names, the engine has no count. */
  node: string | undefined;
  /** Whether there were subscribers before, so that the next count is no change. */
  wasRegistered: boolean;
  /** Set while it is too early to state another count. */
  cancelCount: (() => void) | undefined;
  cancelSettled: (() => void) | undefined;
  reconciling: Promise<void> | undefined;
}

/** What the apps of a server share: the server among the others, and how it reaches them. */
export interface NodeParts {
  node: Node;
  state: SharedState;
  link: Link;
  /** The topic of a room. */
  topicOf: (room: string) => string;
  /** Counts the messages of rooms that this release cannot read. */
  ignored: IgnoredMessages;
}

/**
 * The rooms of an app that this server follows: it subscribes to a room's topic first and then reads the
 * members, so that no event is missed. One reading runs at a time.
 */
export class FollowedRooms {
  readonly #parts: NodeParts;
  readonly #clock: Clock;
  readonly #appOf: (room: string) => string | undefined;
  readonly #rooms = new Map<string, FollowedRoom>();

  /** @param appOf the app under which a room is logged as occupied by its subscribers; undefined: it is not */
  constructor(parts: NodeParts, clock: Clock, appOf: (room: string) => string | undefined) {
    this.#parts = parts;
    this.#clock = clock;
    this.#appOf = appOf;
  }

  /** The number of rooms. */
  get size(): number {
    return this.#rooms.size;
  }

  /** The rooms that keep an event, and the bytes of those. */
  keptSize(): { events: number; bytes: number } {
    const frames = this.#rooms.values().map(({ feed }) => feed.kept)
      .filter((frame) => frame !== undefined);
    const bytes = Array.from(frames, ({ bytes }) => bytes);
    return { events: bytes.length, bytes: bytes.reduce((sum, each) => sum + each, 0) };
  }

  /** Follows a room. */
  open(name: string, listener: ChannelListener): void {
    const room = this.#rooms.get(name) ?? this.#add(name);
    room.feed.open(listener);
    room.count = 0;
    this.#reconcile(room);
  }

  /** Follows a room no longer. */
  close(name: string): void {
    const room = this.#rooms.get(name);
    if (!room) return;
    this.#forget(room);
    room.count = 0;
    this.#reconcile(room);
  }

  /** Follows no room any longer. */
  closeAll(): void {
    for (const name of this.#rooms.keys()) this.close(name);
  }

  /** The listener of a room that is followed. */
  listenerOf(name: string): ChannelListener | undefined {
    return this.#rooms.get(name)?.feed.listener;
  }

  /** Reads the members of a room again. */
  read(name: string): void {
    const room = this.#rooms.get(name);
    if (!room?.feed.listener || room.feed.isReading) return;
    room.feed.missed();
    this.#reconcile(room);
  }

  /** This server has a number of subscribers in a room. */
  subscribers(name: string, count: number): void {
    const room = this.#rooms.get(name);
    if (!room?.feed.listener) return;
    room.count = count;
    this.#reconcile(room);
  }

  /** The frame that a room keeps. */
  kept(name: string): Frame | undefined {
    return this.#rooms.get(name)?.feed.kept;
  }

  /** Whether all rooms are read, and all counts registered, or about to be. */
  get areRegistered(): boolean {
    return this.#rooms.values().every((room) => isDone(room) || room.reconciling !== undefined);
  }

  /** Messages may have been missed: reads all rooms again, and reports counts under the name of a new lease. */
  async resync(): Promise<void> {
    const { name } = this.#parts.node;
    const rooms = [...this.#rooms.values()];
    for (const room of rooms) {
      room.feed.missed();
      if (room.node !== name) room.registeredCount = 0;
    }
    await this.#reconcileAll(rooms);
  }

  /** Tries again what failed. Never rejects. */
  async retry(): Promise<void> {
    await this.#reconcileAll(Array.from(this.#rooms.values()).filter((room) => !isDone(room)));
  }

  #reconcileAll(rooms: readonly FollowedRoom[]): Promise<void> {
    return inGroups(rooms, (room) => this.#reconcile(room), () => this.#parts.node.isUp);
  }

  /** Forgets all rooms; the lease ends the subscribers of this server. */
  stop(): void {
    const { link, topicOf } = this.#parts;
    for (const room of this.#rooms.values()) {
      this.#forget(room);
      if (room.isSubscribed) void link.unsubscribe(topicOf(room.name));
    }
    this.#rooms.clear();
  }

  #add(name: string): FollowedRoom {
    const room: FollowedRoom = {
      name,
      feed: new RoomFeed(this.#parts.node, this.#clock, this.#parts.ignored),
      isSubscribed: false,
      count: 0,
      registeredCount: 0,
      node: undefined,
      wasRegistered: false,
      cancelCount: undefined,
      cancelSettled: undefined,
      reconciling: undefined,
    };
    this.#rooms.set(name, room);
    return room;
  }

  #forget(room: FollowedRoom): void {
    room.cancelCount?.();
    room.cancelSettled?.();
    room.cancelCount = room.cancelSettled = undefined;
    room.feed.close();
  }

  /** Brings a room to what is meant, as far as the engine can be reached. Never rejects. */
  #reconcile(room: FollowedRoom): Promise<void> {
    return room.reconciling ??= this.#run(room);
  }

  async #run(room: FollowedRoom): Promise<void> {
    // What changes in this tick of the event loop is one change.
    await undefined;
    try {
      while (!isDone(room) && this.#parts.node.isUp) {
        await this.#step(room);
      }
    } catch {
      // The next heartbeat tries again.
    }
    room.reconciling = undefined;
    const isGone = !room.feed.listener && !room.isSubscribed && room.registeredCount === 0;
    if (isGone && this.#rooms.get(room.name) === room) this.#rooms.delete(room.name);
  }

  async #step(room: FollowedRoom): Promise<void> {
    const { link, topicOf } = this.#parts;
    const isWanted = room.feed.listener !== undefined;
    if (isWanted && !room.isSubscribed) {
      await link.subscribe(topicOf(room.name), room.feed.receive);
      room.isSubscribed = true;
    } else if (!isWanted && room.isSubscribed) {
      await link.unsubscribe(topicOf(room.name));
      room.isSubscribed = false;
    } else if (room.feed.isStale) await this.#read(room);
    else await this.#stateCount(room);
  }

  async #read(room: FollowedRoom): Promise<void> {
    const { node, state } = this.#parts;
    const { isUnsettled } = await room.feed.read(
      () => state.read(room.name),
      (opened) => membersInSteps(state, room.name, opened),
    );
    if (!isUnsettled || !room.feed.listener) return;
    room.cancelSettled?.();
    room.cancelSettled = this.#clock.after(
      Math.max(node.unsettledMs, 50),
      () => this.read(room.name),
    );
  }

  async #stateCount(room: FollowedRoom): Promise<void> {
    const { node, state } = this.#parts;
    const { count, wasRegistered } = room;
    const name = node.name!;
    const app = this.#appOf(room.name);
    Object.assign(room, { registeredCount: undefined, node: name });
    const answer = await state.subscribers(name, room.name, count, app, wasRegistered);
    if (answer === "lost") {
      node.lost(name);
      throw new Error("The lease was lost");
    }
    const registeredCount = name === node.name ? count : 0;
    Object.assign(room, { registeredCount, wasRegistered: count > 0 });
    if (!room.feed.listener) return;
    room.cancelCount?.();
    room.cancelCount = this.#clock.after(countEveryMs, () => {
      room.cancelCount = undefined;
      this.#reconcile(room);
    });
  }
}

function isDone(
  { cancelCount, count, feed, isSubscribed, registeredCount }: FollowedRoom,
): boolean {
  const isWanted = feed.listener !== undefined;
  // Until the count of a room that was empty is registered, others take it for vacant.
  const isReopened = registeredCount === 0 && count > 0;
  return isSubscribed === isWanted && !feed.isStale &&
    (count === registeredCount || (cancelCount !== undefined && !isReopened));
}
