import type { CachedText } from "@/realtime/cluster/state/shared_state.ts";
import { hasRoom } from "@/realtime/channels/channel_limits.ts";

/** An entry of the log, with its member. */
export interface LogEntry {
  readonly name: string;
  readonly app: string;
  readonly channel: string;
  readonly user?: string;
  readonly reason?: string;
  readonly at: number;
  readonly member?: string;
}

/** A member as a node states it. */
interface RegisteredMember {
  readonly text: string;
  readonly isGuest: boolean;
  isFullMember: boolean;
}

interface RoomMember extends RegisteredMember {
  readonly holders: Set<string>;
}

interface Room {
  version?: number;
  app?: string;
  doSubscribersOccupy: boolean;
  isOccupied: boolean;
  readonly members: Map<string, RoomMember>;
  readonly subscribers: Map<string, number>;
  cached?: { text: string; till: number; tillMicros: number };
}

/** The rooms of a model, without a notion of leases: who holds whom, what is sent of that, and what is logged. */
export class MemoryRooms {
  /** The log, from its begin. */
  readonly log: LogEntry[] = [];
  readonly #rooms = new Map<string, Room>();
  readonly #micros: () => number;
  /** The lowest version of the data set. */
  readonly #firstVersion: () => number;
  readonly #publish: (room: string, message: string) => void;

  constructor(
    micros: () => number,
    firstVersion: () => number,
    publish: (room: string, message: string) => void,
  ) {
    this.#micros = micros;
    this.#firstVersion = firstVersion;
    this.#publish = publish;
  }

  /** Forgets all rooms and the log. */
  clear(): void {
    this.#rooms.clear();
    this.log.length = 0;
  }

  /** @returns brings back what there is now */
  copied(): () => void {
    const rooms = structuredClone(this.#rooms);
    const { length } = this.log;
    return () => {
      this.#rooms.clear();
      for (const [name, room] of rooms) this.#rooms.set(name, room);
      this.log.length = Math.min(this.log.length, length);
    };
  }

  /** The room; one that is empty where there was none. */
  get(name: string): Room {
    const known = this.#rooms.get(name);
    if (known) return known;
    const flags = { doSubscribersOccupy: false, isOccupied: false };
    const room: Room = { ...flags, members: new Map(), subscribers: new Map() };
    this.#rooms.set(name, room);
    return room;
  }

  /** The version, which a room has from when it is read first. */
  versionOf(name: string): number {
    const room = this.get(name);
    room.version ??= this.#micros();
    return room.version = Math.max(room.version, this.#firstVersion());
  }

  /** What a node claims: room and user. */
  heldBy(node: string): [room: string, userId: string][] {
    return [...this.#rooms].flatMap(([name, { members }]) =>
      [...members].filter(([, { holders }]) => holders.has(node))
        .map(([userId]): [string, string] => [name, userId])
    );
  }

  /** The rooms in which a node has subscribers. */
  subscribedBy(node: string): string[] {
    return [...this.#rooms].filter(([, { subscribers }]) => subscribers.has(node))
      .map(([name]) => name);
  }

  /** The occupied rooms of an app. */
  occupied(app: string): string[] {
    const rooms = [...this.#rooms].filter(([, room]) => room.isOccupied && room.app === app);
    return rooms.map(([name]) => name);
  }

  /** How many subscribers a room has. */
  subscribersOf(name: string): number {
    return [...this.get(name).subscribers.values()].reduce((sum, count) => sum + count, 0);
  }

  /** Whether there is room for another user. @param max 0: always */
  isRoomFor(name: string, isGuest: boolean, max: number): boolean {
    return hasRoomAmong([...this.get(name).members.values()], isGuest, max);
  }

  /** Whether the user is a full member, or may become one. @param max 0: always */
  hasRoomForFullMember(name: string, userId: string, isGuest: boolean, max: number): boolean {
    const { members } = this.get(name);
    const full = [...members.values()].filter(({ isFullMember }) => isFullMember);
    return members.get(userId)?.isFullMember === true || hasRoomAmong(full, isGuest, max);
  }

  /** A member is a full one from now on. */
  makeFullMember(name: string, userId: string): void {
    const member = this.get(name).members.get(userId);
    if (member) member.isFullMember = true;
  }

  /** Adds a claim. @param isRestated whether it is no join */
  claim(
    node: string,
    name: string,
    userId: string,
    member: RegisteredMember,
    app: string | undefined,
    isRestated: boolean,
  ): void {
    const room = this.get(name);
    room.app = app ?? room.app;
    const known = room.members.get(userId);
    if (known) {
      known.isFullMember ||= member.isFullMember;
      known.holders.add(node);
      return;
    }
    room.members.set(userId, { ...member, holders: new Set([node]) });
    this.#sendChange(name, "added", userId, {}, member.text);
    this.#updateOccupied(name, isRestated);
    if (app === undefined || isRestated) return;
    this.#append("member_added", app, name, { user: userId, member: member.text });
  }

  /** Ends a claim. */
  unhold(node: string, name: string, user: string, app: string | undefined, reason: string): void {
    const room = this.get(name);
    const member = room.members.get(user);
    if (!member?.holders.delete(node) || member.holders.size > 0) return;
    room.members.delete(user);
    this.#sendChange(name, "removed", user, { r: reason });
    if (app !== undefined) {
      this.#append("member_removed", app, name, { user, reason, member: member.text });
    }
    this.#updateOccupied(name, false);
  }

  /** Sets a node's number of subscribers. @returns the sum */
  setSubscribers(node: string, name: string, count: number, isRestated = false): number {
    const { subscribers } = this.get(name);
    const before = this.subscribersOf(name);
    if (count > 0) {
      for (const other of subscribers.keys()) if (isFormer(other, node)) subscribers.delete(other);
      subscribers.set(node, count);
    } else subscribers.delete(node);
    this.#updateOccupied(name, isRestated);
    const c = this.subscribersOf(name);
    const b = count > 0 ? node : [...subscribers.keys()].toSorted()[0];
    if (c !== before) this.#publish(name, JSON.stringify({ v: 1, t: "subscribers", c, b }));
    return c;
  }

  /** Keeps a text, and drops texts of the same app that end first until there is room. */
  keep(name: string, { text, ttlMs, maxBytes }: CachedText): void {
    const micros = this.#micros();
    const [till, tillMicros] = [Math.floor(micros / 1_000) + ttlMs, micros + ttlMs * 1_000];
    this.get(name).cached = { text, till, tillMicros };
    const app = name.split(":", 1)[0];
    const kept = [...this.#rooms].filter(([other, { cached }]) =>
      other.split(":", 1)[0] === app && cached && cached.tillMicros > micros
    ).toSorted(([a, one], [b, other]) =>
      one.cached!.tillMicros - other.cached!.tillMicros || (a < b ? -1 : 1)
    );
    let bytes = 0;
    for (const [, room] of kept.toReversed()) {
      bytes += new TextEncoder().encode(room.cached!.text).length;
      if (bytes > maxBytes) room.cached = undefined;
    }
  }

  #updateOccupied(name: string, isRestated: boolean): void {
    const room = this.get(name);
    if (room.app === undefined) return;
    const isOccupied = room.members.size > 0 ||
      (room.doSubscribersOccupy && room.subscribers.size > 0);
    if (isOccupied === room.isOccupied) return;
    room.isOccupied = isOccupied;
    if (isOccupied && isRestated) return;
    this.#append(isOccupied ? "channel_occupied" : "channel_vacated", room.app, name);
  }

  #sendChange(name: string, t: string, u: string, end: object, body?: string): void {
    const room = this.get(name);
    const p = Math.max(room.version ?? 0, this.#firstVersion());
    const n = room.version = Math.max(p + 1, this.#micros());
    const header = JSON.stringify({ v: 1, t, p, n, u, ...end });
    this.#publish(name, body === undefined ? header : `${header}\n${body}`);
  }

  #append(name: string, app: string, room: string, details: Partial<LogEntry> = {}): void {
    const channel = room.slice(room.indexOf(":") + 1);
    this.log.push({ name, app, channel, ...details, at: Math.floor(this.#micros() / 1_000) });
  }
}

/** Whether a lease is an earlier one of the same process. */
function isFormer(one: string, node: string): boolean {
  const [[oneProcess, oneLease], [process, lease]] = [one.split("."), node.split(".")];
  return oneProcess === process && Number(oneLease) < Number(lease);
}

function hasRoomAmong(
  members: readonly RegisteredMember[],
  isGuest: boolean,
  max: number,
): boolean {
  const guests = members.filter((member) => member.isGuest).length;
  return max === 0 || hasRoom({ size: members.length, guests }, isGuest, max);
}
