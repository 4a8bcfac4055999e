import {
  type CachedText,
  type ClaimedUser,
  droppedAtATime,
  type Heartbeat,
  type OpenedRoom,
  type ReleaseReply,
  type ScannedMembers,
  type SharedState,
  type UpdatedMember,
  type UpdateReply,
  type UserClaimReply,
} from "../shared_state.ts";
import { DataAge, Leases } from "./leases.ts";
import { MemberScans } from "./room.ts";
import { MemoryRooms, type RoomEvent } from "./memory_rooms.ts";

/** Its lease and time, and where {@link MemoryState} sends and logs what happens. */
export interface MemorySurroundings {
  /** How long a lease is, in milliseconds. */
  readonly leaseMs: number;
  /** The time in milliseconds since 1970, a fraction included. */
  readonly now: () => number;
  /** Sends a message to the nodes that follow a room. */
  readonly publish: (room: string, message: string) => void;
  /** Adds an entry to the log. */
  readonly append: (event: RoomEvent) => void;
  /** A room with more members is read in steps of as many. Default 1,000. */
  readonly mostReadAtOnce?: number;
  /** For how long the version of an empty room stays known, in milliseconds. Default 60,000. */
  readonly emptyRoomMs?: number;
}

/** How far the clocks of two servers may be apart, in milliseconds. */
const clockSkewMs = 1_000;

/**
 * The shared data in memory: the rules that the scripts in Redis have, too. Each call is carried out at once, before
 * its promise is returned.
 */
export class MemoryState implements SharedState {
  protected readonly age: DataAge;
  protected readonly leases: Leases;
  protected readonly rooms: MemoryRooms;
  readonly #around: MemorySurroundings;
  readonly #mostReadAtOnce: number;
  readonly #scans = new MemberScans();

  constructor(around: MemorySurroundings) {
    const { append, emptyRoomMs = 60_000, leaseMs, mostReadAtOnce = 1_000, publish } = around;
    this.#around = around;
    this.#mostReadAtOnce = mostReadAtOnce;
    const now = () => this.#now;
    this.age = new DataAge(leaseMs, now);
    this.leases = new Leases(this.age);
    this.rooms = new MemoryRooms({
      micros: () => this.#micros,
      firstVersion: () => (this.age.baseAt + clockSkewMs) * 1_000,
      publish,
      append,
      emptyRoomMs,
    });
  }

  /** Whether nodes may claim users of whom this data set does not know yet. */
  get isRecovering(): boolean {
    return this.age.isRecovering;
  }

  /** When the data set began, in milliseconds since 1970. */
  get beganAt(): number {
    this.age.seen();
    return this.age.beganAt;
  }

  /** The node that is the leader now. */
  get leader(): string | undefined {
    return this.leases.leader;
  }

  /** How many rooms are known. */
  get size(): number {
    return this.rooms.size;
  }

  /** Forgets rooms that are empty for long. Call it now and then. */
  forgetEmpty(): void {
    this.rooms.forgetEmpty();
  }

  // deno-lint-ignore require-await -- an error rejects the promise.
  async begin(node: string, totals: string): Promise<Heartbeat> {
    this.age.seen();
    if (this.leases.isOver(node) && this.rooms.isUsedBy(node)) {
      throw new Error("LOST the lease of this node is over");
    }
    // Not its first name, N.1: it claimed users under one of which these data know nothing.
    if (!this.age.isSettled && !node.endsWith(".1")) this.age.lacksSome();
    return this.leases.renew(node, totals);
  }

  heartbeat(node: string, totals: string): Promise<Heartbeat | "lost"> {
    this.age.seen();
    return answer(this.leases.isValid(node) ? this.leases.renew(node, totals) : "lost");
  }

  exit(node: string, afterMs: number): Promise<void> {
    this.age.seen();
    this.leases.exit(node, afterMs);
    return answer(undefined);
  }

  drop(node: string): Promise<boolean> {
    this.age.seen();
    if (this.leases.isValid(node) || this.isRecovering) return answer(false);
    const reason = this.leases.isExit(node) ? "server_restart" : "server_lost";
    // One more than a step takes tells whether any are left.
    const claimed = this.rooms.claimedBy(node, droppedAtATime + 1);
    for (const [room, userId] of claimed.slice(0, droppedAtATime)) {
      this.rooms.endClaim(node, room, userId, this.rooms.get(room).app, reason);
    }
    if (claimed.length > droppedAtATime) return answer(true);
    const subscribed = this.rooms.subscribedBy(node, droppedAtATime + 1);
    for (const room of subscribed.slice(0, droppedAtATime)) {
      this.rooms.setSubscribers(node, room, 0);
    }
    if (subscribed.length > droppedAtATime) return answer(true);
    this.leases.delete(node);
    return answer(false);
  }

  claim(node: string, user: ClaimedUser): Promise<UserClaimReply> {
    this.age.seen();
    const { room, userId, member: text, isGuest, max, maxFull, app, isRepeated } = user;
    if (!this.leases.isValid(node)) return answer("lost");
    const holders = this.#holders(room, userId);
    if (holders.includes(node)) {
      if (maxFull !== undefined) this.rooms.makeFullMember(room, userId);
      return answer("already");
    }
    const isRegisteredAgain = isRepeated && !this.age.isSettled;
    if (holders.length === 0 && !isRegisteredAgain && !this.rooms.isRoomFor(room, isGuest, max)) {
      return answer("full");
    }
    const isFullMember = maxFull !== undefined;
    if (
      isFullMember && !isRegisteredAgain &&
      !this.rooms.hasRoomForFullMember(room, userId, isGuest, maxFull)
    ) {
      return answer("full_members");
    }
    this.rooms.claim(node, room, userId, { text, isGuest, isFullMember }, app, isRegisteredAgain);
    return answer("held");
  }

  release(
    node: string,
    user: { room: string; userId: string; app?: string; reason: string; deadline: number },
  ): Promise<ReleaseReply> {
    this.age.seen();
    const { room, userId, app, reason, deadline } = user;
    if (!this.leases.isValid(node)) return answer("lost");
    if (this.#now > deadline || this.isRecovering) return answer("late");
    if (!this.#holders(room, userId).includes(node)) return answer("not_held");
    this.rooms.endClaim(node, room, userId, app, reason);
    return answer("released");
  }

  update({ room, userId, before = "", member, app }: UpdatedMember): Promise<UpdateReply> {
    this.age.seen();
    const known = this.rooms.get(room).members.get(userId)?.text;
    if (known === undefined) return answer(this.isRecovering ? "late" : "absent");
    if (known !== before) return answer("changed");
    this.rooms.update(room, userId, member, app);
    return answer("updated");
  }

  read(name: string): Promise<OpenedRoom> {
    this.age.seen();
    const version = this.rooms.versionOf(name);
    const { members, subscriberCount: subscribers } = this.rooms.get(name);
    const cached = this.#cached(name);
    const isLarge = members.size > this.#mostReadAtOnce;
    return answer({
      version,
      isSettled: this.age.isSettled,
      beganAt: this.age.beganAt,
      members: textsOf(isLarge ? [] : members),
      subscribers,
      ...cached && { cached },
      ...isLarge && { isLarge },
    });
  }

  // deno-lint-ignore require-await -- an error rejects the promise.
  async scan(name: string, cursor: string): Promise<ScannedMembers> {
    const { members } = this.rooms.get(name);
    return this.#scans.step(members, cursor, this.#mostReadAtOnce);
  }

  members(name: string, userIds: readonly string[]): Promise<string[]> {
    const { members } = this.rooms.get(name);
    return answer(userIds.flatMap((userId) => members.get(userId)?.text ?? []));
  }

  cached(name: string): Promise<OpenedRoom["cached"]> {
    this.age.seen();
    return answer(this.#cached(name));
  }

  subscribers(
    node: string,
    room: string,
    count: number,
    app?: string,
    isRepeated = false,
  ): Promise<number | "lost"> {
    this.age.seen();
    if (!this.leases.isValid(node)) return answer("lost");
    if (app !== undefined) this.rooms.subscribersOccupy(room, app);
    const isRegisteredAgain = isRepeated && !this.age.isSettled;
    return answer(this.rooms.setSubscribers(node, room, count, isRegisteredAgain));
  }

  publish(room: string, message: string, cached?: CachedText): Promise<void> {
    if (cached) {
      this.age.seen();
      this.rooms.keep(room, cached);
    }
    this.#around.publish(room, message);
    return answer(undefined);
  }

  occupied(app: string): Promise<string[]> {
    return answer(this.rooms.occupied(app));
  }

  sizes(rooms: readonly string[]): Promise<{ members: number; subscribers: number }[]> {
    return answer(rooms.map((name) => {
      const { members, subscriberCount } = this.rooms.get(name);
      return { members: members.size, subscribers: subscriberCount };
    }));
  }

  totals(): Promise<ReadonlyMap<string, string>> {
    return answer(this.leases.totals());
  }

  lead(node: string, ms: number): Promise<boolean> {
    this.age.seen();
    return answer(this.leases.lead(node, ms));
  }

  resign(node: string): Promise<void> {
    this.leases.resign(node);
    return answer(undefined);
  }

  #holders(room: string, userId: string): readonly string[] {
    return this.rooms.get(room).members.get(userId)?.holders ?? [];
  }

  #cached(name: string): OpenedRoom["cached"] {
    const kept = this.rooms.kept(name);
    const ttlMs = kept ? kept.till - this.#now : 0;
    return kept && ttlMs > 0 ? { text: kept.text, ttlMs } : undefined;
  }

  get #micros(): number {
    return Math.round(this.#around.now() * 1_000);
  }

  get #now(): number {
    return Math.floor(this.#micros / 1_000);
  }
}

function answer<Value>(value: Value): Promise<Value> {
  return Promise.resolve(value);
}

function textsOf(members: Iterable<[userId: string, { text: string }]>): Map<string, string> {
  return new Map(Array.from(members, ([userId, { text }]) => [userId, text]));
}
