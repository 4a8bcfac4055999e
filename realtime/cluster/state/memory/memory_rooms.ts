import type { CachedText } from "../shared_state.ts";
import {
  addMember,
  deleteMember,
  emptyRoom,
  hasRoomAmong,
  KeptTexts,
  makeFullMember,
  type RegisteredMember,
  type Room,
  setSubscribers,
} from "./room.ts";

/** What becomes an entry of the log, with its member. */
export interface RoomEvent {
  readonly name: string;
  readonly app: string;
  readonly channel: string;
  readonly user?: string;
  readonly reason?: string;
  /** In milliseconds since 1970. */
  readonly at: number;
  /** JSON text. */
  readonly member?: string;
}

/** The time of {@link MemoryRooms}, and where they send and log what happens. */
export interface RoomSurroundings {
  /** The time in microseconds since 1970. */
  readonly micros: () => number;
  /** The lowest version of the data set. */
  readonly firstVersion: () => number;
  /** Sends a message to the nodes that follow a room. */
  readonly publish: (room: string, message: string) => void;
  readonly append: (event: RoomEvent) => void;
  /** For how long the version of a room that is empty stays known, in milliseconds. */
  readonly emptyRoomMs: number;
}

/** Nothing is in it. */
const nothing: Readonly<Room> = emptyRoom();

/** The rooms, without a notion of leases: who claims whom, what is sent of that, and what is logged. */
export class MemoryRooms {
  readonly #around: RoomSurroundings;
  #rooms = new Map<string, Room>();
  /** Users that a node claims, by node and room. */
  #claims = new Map<string, Map<string, Set<string>>>();
  /** The rooms in which a node has subscribers. */
  #subscribed = new Map<string, Set<string>>();
  /** By app. */
  #occupied = new Map<string, Set<string>>();
  /** Since when rooms are empty, in microseconds since 1970; the longest first. */
  #empty = new Map<string, number>();
  readonly #texts = new KeptTexts();

  constructor(around: RoomSurroundings) {
    this.#around = around;
  }

  /** @returns brings back what there is now, apart from kept texts */
  copied(): () => void {
    const rooms = structuredClone(this.#rooms);
    const claims = structuredClone(this.#claims);
    const subscribed = structuredClone(this.#subscribed);
    const occupied = structuredClone(this.#occupied);
    const empty = structuredClone(this.#empty);
    return () => {
      this.#rooms = rooms;
      this.#claims = claims;
      this.#subscribed = subscribed;
      this.#occupied = occupied;
      this.#empty = empty;
    };
  }

  /** How many rooms are known. */
  get size(): number {
    return this.#rooms.size;
  }

  /** The room, to be read; one that is empty where there is none. */
  get(name: string): Readonly<Room> {
    return this.#rooms.get(name) ?? nothing;
  }

  /** The version, which a room has from when it is read first. */
  versionOf(name: string): number {
    const room = this.#open(name);
    room.version ??= this.#around.micros();
    return room.version = Math.max(room.version, this.#around.firstVersion());
  }

  /** Whether a node claims anyone, or has subscribers. */
  isUsedBy(node: string): boolean {
    return this.#claims.has(node) || this.#subscribed.has(node);
  }

  /** Some of what a node claims. */
  claimedBy(node: string, max: number): [room: string, userId: string][] {
    const found: [string, string][] = [];
    for (const [room, users] of this.#claims.get(node) ?? []) {
      for (const userId of users) {
        found.push([room, userId]);
        if (found.length === max) return found;
      }
    }
    return found;
  }

  /** Some of the rooms in which a node has subscribers. */
  subscribedBy(node: string, max: number): string[] {
    return (this.#subscribed.get(node) ?? new Set<string>()).values().take(max).toArray();
  }

  /** The occupied rooms of an app. */
  occupied(app: string): string[] {
    return [...this.#occupied.get(app) ?? []];
  }

  /** Whether there is room for another user. @param max 0: always */
  isRoomFor(name: string, isGuest: boolean, max: number): boolean {
    return hasRoomAmong(this.get(name).all, isGuest, max);
  }

  /** Whether the user is a full member, or may become one. @param max 0: always */
  hasRoomForFullMember(name: string, userId: string, isGuest: boolean, max: number): boolean {
    const { full, members } = this.get(name);
    return members.get(userId)?.isFullMember === true || hasRoomAmong(full, isGuest, max);
  }

  /** A member is a full one from now on. */
  makeFullMember(name: string, userId: string): void {
    const room = this.#rooms.get(name);
    const member = room?.members.get(userId);
    if (room && member) makeFullMember(room, member);
  }

  /** Adds a claim. @param isRegisteredAgain whether it is no join */
  claim(
    node: string,
    name: string,
    userId: string,
    member: RegisteredMember,
    app: string | undefined,
    isRegisteredAgain: boolean,
  ): void {
    const room = this.#open(name);
    room.app = app ?? room.app;
    this.#addClaim(node, name, userId);
    const known = room.members.get(userId);
    if (known) {
      if (member.isFullMember) makeFullMember(room, known);
      known.holders.push(node);
      return;
    }
    addMember(room, userId, member, node);
    this.#sendChange(name, room, "added", userId, {}, member.text);
    this.#updateOccupied(name, room, isRegisteredAgain);
    if (app === undefined || isRegisteredAgain) return;
    this.#append("member_added", app, name, { user: userId, member: member.text });
  }

  /** Changes a member. */
  update(name: string, userId: string, text: string, app: string | undefined): void {
    const room = this.#rooms.get(name);
    const member = room?.members.get(userId);
    if (!room || !member) return;
    member.text = text;
    this.#sendChange(name, room, "updated", userId, {}, text);
    if (app !== undefined) {
      this.#append("member_updated", app, name, { user: userId, member: text });
    }
  }

  /** Ends a node's claim of a user, who leaves with the last claim. Without the claim, nothing happens. */
  endClaim(
    node: string,
    name: string,
    user: string,
    app: string | undefined,
    reason: string,
  ): void {
    const room = this.#rooms.get(name);
    const member = room?.members.get(user);
    const place = member?.holders.indexOf(node) ?? -1;
    if (!room || !member || place < 0) return;
    member.holders.splice(place, 1);
    this.#deleteClaim(node, name, user);
    if (member.holders.length > 0) return;
    deleteMember(room, user, member);
    this.#sendChange(name, room, "removed", user, { r: reason });
    if (app !== undefined) {
      this.#append("member_removed", app, name, { user, reason, member: member.text });
    }
    this.#updateOccupied(name, room, false);
  }

  /** An app logs a room as occupied by its subscribers, too. */
  subscribersOccupy(name: string, app: string): void {
    Object.assign(this.#open(name), { app, doSubscribersOccupy: true });
  }

  /** Sets a node's number of subscribers. @returns the sum */
  setSubscribers(node: string, name: string, count: number, isRegisteredAgain = false): number {
    const room = this.#open(name);
    const before = room.subscriberCount;
    if (count > 0) {
      // What the same process registered under former leases is out of date.
      for (const other of room.subscribers.keys()) {
        if (isFormer(other, node)) this.#unsubscribe(other, name, room);
      }
      setSubscribers(room, node, count);
      this.#subscribed.getOrInsertComputed(node, () => new Set()).add(name);
    } else this.#unsubscribe(node, name, room);
    this.#updateOccupied(name, room, isRegisteredAgain);
    const c = room.subscriberCount;
    if (c === before) return c;
    // One server with subscribers reports the number.
    const b = count > 0 ? node : [...room.subscribers.keys()].toSorted()[0];
    this.#around.publish(name, JSON.stringify({ v: 1, t: "subscribers", c, b }));
    return c;
  }

  /** The text that a room keeps, if any. */
  kept(name: string): { text: string; till: number } | undefined {
    return this.#texts.get(name, this.#around.micros());
  }

  /** Keeps a text, and drops texts of the same app that end first until there is room. */
  keep(name: string, text: CachedText): void {
    this.#texts.keep(name, text, this.#around.micros());
  }

  /** Forgets rooms that have been empty for long, and texts that have ended. */
  forgetEmpty(): void {
    const micros = this.#around.micros();
    this.#texts.dropEnded(micros);
    for (const [name, since] of this.#empty) {
      if (micros - since < this.#around.emptyRoomMs * 1_000) return;
      this.#empty.delete(name);
      this.#rooms.delete(name);
    }
  }

  #open(name: string): Room {
    const known = this.#rooms.get(name);
    if (known) return known;
    const room = emptyRoom();
    this.#rooms.set(name, room);
    this.#empty.set(name, this.#around.micros());
    return room;
  }

  #addClaim(node: string, name: string, userId: string): void {
    this.#claims.getOrInsertComputed(node, () => new Map<string, Set<string>>())
      .getOrInsertComputed(name, () => new Set()).add(userId);
  }

  #deleteClaim(node: string, name: string, userId: string): void {
    const claims = this.#claims.get(node);
    if (!claims) return;
    deleteFrom(claims, name, userId);
    if (claims.size === 0) this.#claims.delete(node);
  }

  #unsubscribe(node: string, name: string, room: Room): void {
    setSubscribers(room, node, 0);
    deleteFrom(this.#subscribed, node, name);
  }

  /** Follows each change of a room's members or subscribers. */
  #updateOccupied(name: string, room: Room, isRegisteredAgain: boolean): void {
    const { app, members, subscribers } = room;
    this.#empty.delete(name);
    if (members.size === 0 && subscribers.size === 0) {
      this.#empty.set(name, this.#around.micros());
    }
    if (app === undefined) return;
    const isOccupied = members.size > 0 || room.doSubscribersOccupy && subscribers.size > 0;
    if (isOccupied === room.isOccupied) return;
    room.isOccupied = isOccupied;
    if (isOccupied) this.#occupied.getOrInsertComputed(app, () => new Set()).add(name);
    else deleteFrom(this.#occupied, app, name);
    if (isOccupied && isRegisteredAgain) return;
    this.#append(isOccupied ? "channel_occupied" : "channel_vacated", app, name);
  }

  #sendChange(name: string, room: Room, t: string, u: string, end: object, body?: string): void {
    const p = Math.max(room.version ?? 0, this.#around.firstVersion());
    const n = room.version = Math.max(p + 1, this.#around.micros());
    const header = JSON.stringify({ v: 1, t, p, n, u, ...end });
    this.#around.publish(name, body === undefined ? header : `${header}\n${body}`);
  }

  #append(name: string, app: string, room: string, details: Partial<RoomEvent> = {}): void {
    const channel = room.slice(room.indexOf(":") + 1);
    const at = Math.floor(this.#around.micros() / 1_000);
    this.#around.append({ name, app, channel, ...details, at });
  }
}

function deleteFrom(sets: Map<string, Set<string>>, key: string, value: string): void {
  const set = sets.get(key);
  if (set?.delete(value) && set.size === 0) sets.delete(key);
}

/** Whether a lease is an earlier one of the same process. */
function isFormer(one: string, node: string): boolean {
  const [[oneProcess, oneLease], [process, lease]] = [one.split("."), node.split(".")];
  return oneProcess === process && Number(oneLease) < Number(lease);
}
