import type {
  CachedText,
  ClaimedUser,
  Heartbeat,
  OpenedRoom,
  ReleaseReply,
  ScannedMembers,
  SharedState,
  UserClaimReply,
} from "@/realtime/cluster/state/shared_state.ts";
import { scanEnds } from "@/realtime/cluster/state/shared_state.ts";
import { type LogEntry, MemoryRooms } from "./memory_rooms.ts";

/** Options of {@link MemoryState}. */
export interface MemoryStateOptions {
  /** How long a lease is, in milliseconds. */
  readonly leaseMs: number;
  /** The time in milliseconds since 1970, a fraction included. */
  readonly now: () => number;
  /** Sends a message to the nodes that follow a room. */
  readonly publish: (room: string, message: string) => void;
  /** A room with more members is read in steps. Default 200. */
  readonly mostReadAtOnce?: number;
}

interface Lease {
  till: number;
  isExit: boolean;
  totals: string;
}

/** How far the clocks of two servers may be apart, in milliseconds. */
const clockSkewMs = 1_000;

/** How many holds a step of `drop` takes. */
const droppedAtATime = 200;

/**
 * The shared data in memory: what the scripts in Redis do, written a second time and more simply. Each
 * call is carried out at once, before its promise is returned. Versions of empty rooms stay.
 */
export class MemoryState implements SharedState {
  readonly #options: MemoryStateOptions;
  readonly #leases = new Map<string, Lease>();
  readonly #rooms: MemoryRooms;
  #beganAt: number | undefined;
  /** When it began first, though no node reached it for a while before it was settled. */
  #baseAt: number | undefined;
  /** The time of a late call, until the data set is settled. */
  #seenAt: number | undefined;
  #isLossy = false;
  #leader?: { node: string; till: number };

  constructor(options: MemoryStateOptions) {
    this.#options = options;
    this.#rooms = new MemoryRooms(
      () => this.#micros,
      () => (this.#start().baseAt + clockSkewMs) * 1_000,
      options.publish,
    );
  }

  /** The log, from its begin. */
  get log(): LogEntry[] {
    return this.#rooms.log;
  }

  /** Forgets everything, as `FLUSHALL` does. */
  loseAll(): void {
    this.#seenAt = undefined;
    this.#leases.clear();
    this.#rooms.clear();
    this.#beganAt = undefined;
    this.#isLossy = false;
    this.#leader = undefined;
  }

  /** The data go on, on another server. */
  changeServer(): void {
    this.#seenAt = undefined;
    this.#isLossy ||= this.#beganAt !== undefined;
    this.#beganAt = undefined;
  }

  /** What a replica has that follows no more. @returns goes on with that, on another server */
  copied(): () => void {
    const leases = structuredClone(this.#leases);
    const restore = this.#rooms.copied();
    const leader = structuredClone(this.#leader);
    return () => {
      restore();
      this.#leases.clear();
      for (const [node, lease] of leases) this.#leases.set(node, lease);
      this.#leader = leader;
      this.changeServer();
    };
  }

  /** Who claims a user now. */
  holders(room: string, userId: string): string[] {
    return [...this.#rooms.get(room).members.get(userId)?.holders ?? []];
  }

  /** The ids of a room's members now. */
  memberIds(room: string): string[] {
    return [...this.#rooms.get(room).members.keys()];
  }

  members(room: string, userIds: readonly string[]): Promise<string[]> {
    const { members } = this.#rooms.get(room);
    return Promise.resolve(userIds.flatMap((userId) => members.get(userId)?.text ?? []));
  }

  /** Whether nodes may hold users of whom this data set does not know yet. */
  get isRecovering(): boolean {
    const beganAt = this.#beganAt ?? this.#now;
    return this.#isLossy && this.#now - beganAt < this.#options.leaseMs;
  }

  // deno-lint-ignore require-await -- an error rejects the promise.
  async begin(node: string, totals: string): Promise<Heartbeat> {
    this.#start();
    const lease = this.#leases.get(node);
    const holds = this.#rooms.heldBy(node).length + this.#rooms.subscribedBy(node).length;
    if (lease && lease.till <= this.#now && holds > 0) {
      throw new Error("LOST the lease of this node is over");
    }
    if (!this.#isSettled && !node.endsWith(".1")) this.#isLossy = true;
    return this.#renewed(node, totals);
  }

  heartbeat(node: string, totals: string): Promise<Heartbeat | "lost"> {
    this.#start();
    return Promise.resolve(this.#isValid(node) ? this.#renewed(node, totals) : "lost");
  }

  exit(node: string, afterMs: number): Promise<void> {
    this.#start();
    const lease = this.#leases.get(node);
    if (lease && this.#isValid(node)) {
      lease.till = Math.min(lease.till, this.#now + afterMs);
      lease.isExit = true;
    }
    return Promise.resolve();
  }

  drop(node: string): Promise<boolean> {
    this.#start();
    if (this.#isValid(node) || this.isRecovering) return Promise.resolve(false);
    const reason = this.#leases.get(node)?.isExit ? "server_restart" : "server_lost";
    const claimed = this.#rooms.heldBy(node);
    for (const [room, userId] of claimed.slice(0, droppedAtATime)) {
      this.#rooms.unhold(node, room, userId, this.#rooms.get(room).app, reason);
    }
    if (claimed.length > droppedAtATime) return Promise.resolve(true);
    const subscribed = this.#rooms.subscribedBy(node);
    for (const room of subscribed.slice(0, droppedAtATime)) {
      this.#rooms.setSubscribers(node, room, 0);
    }
    if (subscribed.length > droppedAtATime) return Promise.resolve(true);
    this.#leases.delete(node);
    return Promise.resolve(false);
  }

  claim(node: string, user: ClaimedUser): Promise<UserClaimReply> {
    this.#start();
    const { room, userId, member: text, isGuest, max, maxFull, app, isRepeated } = user;
    if (!this.#isValid(node)) return Promise.resolve("lost");
    const holders = this.holders(room, userId);
    if (holders.includes(node)) {
      if (maxFull !== undefined) this.#rooms.makeFullMember(room, userId);
      return Promise.resolve("already");
    }
    const isRestated = isRepeated && !this.#isSettled;
    if (holders.length === 0 && !isRestated && !this.#rooms.isRoomFor(room, isGuest, max)) {
      return Promise.resolve("full");
    }
    const isFullMember = maxFull !== undefined;
    if (
      isFullMember && !isRestated &&
      !this.#rooms.hasRoomForFullMember(room, userId, isGuest, maxFull)
    ) {
      return Promise.resolve("full_members");
    }
    this.#rooms.claim(node, room, userId, { text, isGuest, isFullMember }, app, isRestated);
    return Promise.resolve("held");
  }

  release(
    node: string,
    user: { room: string; userId: string; app?: string; reason: string; deadline: number },
  ): Promise<ReleaseReply> {
    this.#start();
    const { room, userId, app, reason, deadline } = user;
    if (!this.#isValid(node)) return Promise.resolve("lost");
    if (this.#now > deadline || this.isRecovering) return Promise.resolve("late");
    if (!this.holders(room, userId).includes(node)) return Promise.resolve("not_held");
    this.#rooms.unhold(node, room, userId, app, reason);
    return Promise.resolve("released");
  }

  read(name: string): Promise<OpenedRoom> {
    this.#start();
    const version = this.#rooms.versionOf(name);
    const { members } = this.#rooms.get(name);
    const cached = this.#cached(name);
    const isLarge = members.size > (this.#options.mostReadAtOnce ?? 200);
    return Promise.resolve({
      version,
      isSettled: this.#isSettled,
      beganAt: this.#start().beganAt,
      members: textsOf(isLarge ? [] : members),
      subscribers: this.#rooms.subscribersOf(name),
      ...cached && { cached },
      ...isLarge && { isLarge },
    });
  }

  /** A step has one member: the first one after the cursor, by id. */
  scan(name: string, cursor: string): Promise<ScannedMembers> {
    const { members } = this.#rooms.get(name);
    const idOf = (userId: string) => `after ${userId}`;
    const left = [...members].filter(([userId]) => cursor === scanEnds || idOf(userId) > cursor)
      .toSorted(([a], [b]) => a < b ? -1 : 1);
    const next = left.length > 1 ? idOf(left[0][0]) : scanEnds;
    return Promise.resolve({ cursor: next, members: textsOf(left.slice(0, 1)) });
  }

  cached(name: string): Promise<OpenedRoom["cached"]> {
    this.#start();
    return Promise.resolve(this.#cached(name));
  }

  #cached(name: string): OpenedRoom["cached"] {
    const { cached } = this.#rooms.get(name);
    const ttlMs = cached ? cached.till - this.#now : 0;
    return cached && ttlMs > 0 ? { text: cached.text, ttlMs } : undefined;
  }

  subscribers(
    node: string,
    room: string,
    count: number,
    app?: string,
    isRepeated = false,
  ): Promise<number | "lost"> {
    this.#start();
    if (!this.#isValid(node)) return Promise.resolve("lost");
    if (app !== undefined) {
      Object.assign(this.#rooms.get(room), { app, doSubscribersOccupy: true });
    }
    const isRestated = isRepeated && !this.#isSettled;
    return Promise.resolve(this.#rooms.setSubscribers(node, room, count, isRestated));
  }

  publish(
    room: string,
    message: string,
    cached?: CachedText,
  ): Promise<void> {
    if (cached) {
      this.#start();
      this.#rooms.keep(room, cached);
    }
    this.#options.publish(room, message);
    return Promise.resolve();
  }

  occupied(app: string): Promise<string[]> {
    return Promise.resolve(this.#rooms.occupied(app));
  }

  sizes(rooms: readonly string[]): Promise<{ members: number; subscribers: number }[]> {
    return Promise.resolve(rooms.map((name) => ({
      members: this.#rooms.get(name).members.size,
      subscribers: this.#rooms.subscribersOf(name),
    })));
  }

  totals(): Promise<ReadonlyMap<string, string>> {
    const valid = [...this.#leases].filter(([node]) => this.#isValid(node));
    return Promise.resolve(new Map(valid.map(([node, { totals }]) => [node, totals])));
  }

  lead(node: string, ms: number): Promise<boolean> {
    this.#start();
    const isTaken = this.#leader && this.#leader.till > this.#now && this.#leader.node !== node;
    if (!this.#isValid(node) || isTaken) return Promise.resolve(false);
    this.#leader = { node, till: this.#now + ms };
    return Promise.resolve(true);
  }

  resign(node: string): Promise<void> {
    if (this.#leader?.node === node) this.#leader = undefined;
    return Promise.resolve();
  }

  get #micros(): number {
    return Math.round(this.#options.now() * 1_000);
  }

  get #now(): number {
    return Math.floor(this.#micros / 1_000);
  }

  get #isSettled(): boolean {
    return this.#now - this.#start().beganAt >= this.#options.leaseMs;
  }

  #start(): { beganAt: number; baseAt: number } {
    const now = this.#now;
    const { leaseMs } = this.#options;
    const idleMs = this.#seenAt === undefined ? 0 : now - this.#seenAt;
    const wasAway = idleMs > leaseMs / 3;
    if (this.#beganAt === undefined || wasAway) {
      this.#isLossy ||= wasAway;
      this.#seenAt = this.#beganAt = now;
      if (!wasAway) this.#baseAt = now;
    } else if (now - this.#beganAt >= leaseMs) this.#seenAt = undefined;
    else if (idleMs > leaseMs / 30) this.#seenAt = now;
    return { beganAt: this.#beganAt, baseAt: this.#baseAt ?? this.#beganAt };
  }

  #isValid(node: string): boolean {
    return (this.#leases.get(node)?.till ?? 0) > this.#now;
  }

  #renewed(node: string, totals: string): Heartbeat {
    const lease = this.#leases.get(node);
    const till = lease?.isExit ? lease.till : this.#now + this.#options.leaseMs;
    this.#leases.set(node, { till, isExit: lease?.isExit ?? false, totals });
    const names = [...this.#leases.keys()];
    const expired = names.filter((name) => !this.#isValid(name));
    return {
      now: this.#now,
      beganAt: this.#start().beganAt,
      nodes: names.filter((name) => this.#isValid(name)),
      expired,
      exited: expired.filter((name) => this.#leases.get(name)?.isExit),
    };
  }
}

function textsOf(members: Iterable<[userId: string, { text: string }]>): Map<string, string> {
  return new Map(Array.from(members, ([userId, { text }]) => [userId, text]));
}
