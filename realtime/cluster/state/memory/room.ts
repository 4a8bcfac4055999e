import { hasRoom, type UserCount } from "../../../channels/channel_limits.ts";
import { scanEnds, type ScannedMembers } from "../shared_state.ts";

/** A member as a node registers it. */
export interface RegisteredMember {
  text: string;
  readonly isGuest: boolean;
  isFullMember: boolean;
}

/** A member of a room. */
export interface RoomMember extends RegisteredMember {
  /** The nodes that claim the user: mostly one. */
  readonly holders: string[];
}

/** A room, and what is counted of it. */
export interface Room {
  /** Undefined until it is read or changes first. */
  version?: number;
  /** The app under which it is logged. */
  app?: string;
  /** Whether subscribers occupy it. */
  doSubscribersOccupy: boolean;
  isOccupied: boolean;
  readonly members: Map<string, RoomMember>;
  /** All members, and the full ones. */
  readonly all: { size: number; guests: number };
  readonly full: { size: number; guests: number };
  /** By node. */
  readonly subscribers: Map<string, number>;
  subscriberCount: number;
}

/** A room without members and subscribers. */
export function emptyRoom(): Room {
  return {
    doSubscribersOccupy: false,
    isOccupied: false,
    members: new Map(),
    all: { size: 0, guests: 0 },
    full: { size: 0, guests: 0 },
    subscribers: new Map(),
    subscriberCount: 0,
  };
}

/** Adds a member, whom one node holds so far. */
export function addMember(
  room: Room,
  userId: string,
  { text, isGuest, isFullMember }: RegisteredMember,
  node: string,
): void {
  room.members.set(userId, { text, isGuest, isFullMember, holders: [node] });
  count(room.all, isGuest, 1);
  if (isFullMember) count(room.full, isGuest, 1);
}

/** Removes a member. */
export function deleteMember(
  room: Room,
  userId: string,
  { isGuest, isFullMember }: RoomMember,
): void {
  room.members.delete(userId);
  count(room.all, isGuest, -1);
  if (isFullMember) count(room.full, isGuest, -1);
}

/** A member is a full one from now on. */
export function makeFullMember(room: Room, member: RoomMember): void {
  if (member.isFullMember) return;
  member.isFullMember = true;
  count(room.full, member.isGuest, 1);
}

/** Whether there is room for another user among some. @param max 0: always */
export function hasRoomAmong(users: UserCount, isGuest: boolean, max: number): boolean {
  return max === 0 || hasRoom(users, isGuest, max);
}

/** Sets a node's number of subscribers. */
export function setSubscribers(room: Room, node: string, number: number): void {
  room.subscriberCount += number - (room.subscribers.get(node) ?? 0);
  if (number > 0) room.subscribers.set(node, number);
  else room.subscribers.delete(node);
}

function count(users: { size: number; guests: number }, isGuest: boolean, by: 1 | -1): void {
  users.size += by;
  if (isGuest) users.guests += by;
}

/** How many scans can be open at once. Past that, the oldest is abandoned, and its reader has to start again. */
const mostScans = 1_000;

/**
 * Rooms that are read in steps. A table is read in the order in which its members came, also while it changes: who is
 * in it all the time is read once.
 */
export class MemberScans {
  readonly #scans = new Map<string, Iterator<[string, { readonly text: string }]>>();
  #started = 0;

  /**
   * Reads the next members.
   *
   * @param cursor what the step before returned, or {@link scanEnds} for the first.
   * @param max how many.
   * @throws {Error} when the scan was given up.
   */
  step(
    members: ReadonlyMap<string, { readonly text: string }>,
    cursor: string,
    max: number,
  ): ScannedMembers {
    const scan = cursor === scanEnds ? members.entries() : this.#scans.get(cursor);
    if (!scan) throw new Error("the members were not read in time");
    this.#scans.delete(cursor);
    const texts = new Map<string, string>();
    while (texts.size < max) {
      const { done, value } = scan.next();
      if (done) return { cursor: scanEnds, members: texts };
      texts.set(value[0], value[1].text);
    }
    const next = cursor === scanEnds ? String(++this.#started) : cursor;
    this.#scans.set(next, scan);
    const [oldest] = this.#scans.keys();
    if (this.#scans.size > mostScans) this.#scans.delete(oldest);
    return { cursor: next, members: texts };
  }
}

/** A text that a room keeps. */
export interface KeptText {
  readonly text: string;
  readonly bytes: number;
  /** When it ends, in milliseconds and in microseconds since 1970. */
  readonly till: number;
  readonly tillMicros: number;
}

/** The texts that the rooms of an app keep. */
interface TextsOfApp {
  readonly byRoom: Map<string, KeptText>;
  /** The rooms, of which the text ends first at first; by name where several end at once. */
  readonly ends: { readonly room: string; readonly tillMicros: number }[];
  bytes: number;
}

const encoder = new TextEncoder();

/** The texts that rooms keep for users who open them later, within a number of bytes for each app. */
export class KeptTexts {
  readonly #apps = new Map<string, TextsOfApp>();

  /** The text that a room keeps, if any. */
  get(room: string, micros: number): KeptText | undefined {
    const kept = this.#apps.get(appOf(room))?.byRoom.get(room);
    return kept && kept.tillMicros > micros ? kept : undefined;
  }

  /** Keeps a text, and drops the texts of the same app that end first until there is room. */
  keep(
    room: string,
    { text, ttlMs, maxBytes }: { text: string; ttlMs: number; maxBytes: number },
    micros: number,
  ): void {
    const app = this.#open(appOf(room));
    this.#drop(app, room);
    this.#dropEnded(app, micros);
    const tillMicros = micros + ttlMs * 1_000;
    const bytes = encoder.encode(text).length;
    app.byRoom.set(room, { text, bytes, till: Math.floor(micros / 1_000) + ttlMs, tillMicros });
    app.ends.splice(placeOf(app.ends, room, tillMicros), 0, { room, tillMicros });
    app.bytes += bytes;
    while (app.bytes > maxBytes) this.#drop(app, app.ends[0].room);
  }

  /** Forgets all that have ended. */
  dropEnded(micros: number): void {
    for (const [name, app] of this.#apps) {
      this.#dropEnded(app, micros);
      if (app.ends.length === 0) this.#apps.delete(name);
    }
  }

  #open(name: string): TextsOfApp {
    const known = this.#apps.get(name);
    if (known) return known;
    const app: TextsOfApp = { byRoom: new Map(), ends: [], bytes: 0 };
    this.#apps.set(name, app);
    return app;
  }

  #dropEnded(app: TextsOfApp, micros: number): void {
    while (app.ends.length > 0 && app.ends[0].tillMicros <= micros) {
      this.#drop(app, app.ends[0].room);
    }
  }

  #drop(app: TextsOfApp, room: string): void {
    const kept = app.byRoom.get(room);
    if (!kept) return;
    app.byRoom.delete(room);
    app.ends.splice(placeOf(app.ends, room, kept.tillMicros), 1);
    app.bytes -= kept.bytes;
  }
}

/** Where a room is among the ends, or would be. */
function placeOf(ends: TextsOfApp["ends"], room: string, tillMicros: number): number {
  let [low, high] = [0, ends.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const { room: other, tillMicros: otherTill } = ends[middle];
    const isBefore = otherTill < tillMicros || otherTill === tillMicros && other < room;
    if (isBefore) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The app's part of a room's name. */
function appOf(room: string): string {
  return room.slice(0, room.indexOf(":"));
}
