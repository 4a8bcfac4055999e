import type {
  Beat,
  HeldUser,
  HoldAnswer,
  OpenedRoom,
  ReleaseAnswer,
  SharedState,
} from "../../../cluster/state/shared_state.ts";
import { hasRoom } from "../../../realtime/channels/loud_users.ts";

/** Options of {@link MemoryState}. */
export interface MemoryStateOptions {
  /** How long a lease is, in milliseconds. */
  readonly leaseMs: number;
  /** The time in milliseconds since 1970, a fraction included. */
  readonly now: () => number;
  /** Sends a message to the nodes that follow a room. */
  readonly publish: (room: string, message: string) => void;
}

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

interface Lease {
  till: number;
  isExit: boolean;
  totals: string;
}

interface Room {
  version?: number;
  app?: string;
  doSubscribersOccupy: boolean;
  isOccupied: boolean;
  readonly members: Map<string, { text: string; isGuest: boolean; readonly holders: Set<string> }>;
  readonly subscribers: Map<string, number>;
  cached?: { text: string; till: number };
}

/** A step of `drop` takes so many holds. */
const droppedAtATime = 200;

/**
 * The shared data in memory: what the scripts in Redis do, written a second time and more simply. Each
 * call is carried out at once, before its promise is returned. Versions of empty rooms stay.
 */
export class MemoryState implements SharedState {
  /** The log, from its begin. */
  readonly log: LogEntry[] = [];
  readonly #options: MemoryStateOptions;
  readonly #leases = new Map<string, Lease>();
  readonly #rooms = new Map<string, Room>();
  #beganAt: number | undefined;
  #leader?: { node: string; till: number };

  constructor(options: MemoryStateOptions) {
    this.#options = options;
  }

  /** Forgets everything, as `FLUSHALL` does. */
  loseAll(): void {
    this.#leases.clear();
    this.#rooms.clear();
    this.log.length = 0;
    this.#beganAt = undefined;
    this.#leader = undefined;
  }

  /** The data go on, on another server. */
  changeServer(): void {
    this.#beganAt = undefined;
  }

  /** Who holds a user now. */
  holders(room: string, userId: string): string[] {
    return [...this.#rooms.get(room)?.members.get(userId)?.holders ?? []];
  }

  // deno-lint-ignore require-await -- an error rejects the promise.
  async begin(node: string, totals: string): Promise<Beat> {
    this.#start();
    const lease = this.#leases.get(node);
    if (lease && lease.till <= this.#now && this.#holdsAnything(node)) {
      throw new Error("LOST the lease of this node is over");
    }
    this.#renew(node, totals, lease);
    return this.#beat();
  }

  beat(node: string, totals: string): Promise<Beat | "lost"> {
    this.#start();
    if (!this.#isValid(node)) return Promise.resolve("lost");
    this.#renew(node, totals, this.#leases.get(node));
    return Promise.resolve(this.#beat());
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
    if (this.#isValid(node)) return Promise.resolve(false);
    const reason = this.#leases.get(node)?.isExit ? "server_restart" : "server_lost";
    const holds = [...this.#rooms].flatMap(([name, { members }]) =>
      [...members].filter(([, { holders }]) => holders.has(node)).map(([userId]) => [name, userId])
    );
    for (const [name, userId] of holds.slice(0, droppedAtATime)) {
      this.#unhold(node, name, userId, this.#room(name).app, reason);
    }
    if (holds.length > droppedAtATime) return Promise.resolve(true);
    const names = [...this.#rooms].filter(([, { subscribers }]) => subscribers.has(node));
    for (const [name] of names.slice(0, droppedAtATime)) this.#setSubscribers(node, name, 0);
    if (names.length > droppedAtATime) return Promise.resolve(true);
    this.#leases.delete(node);
    return Promise.resolve(false);
  }

  hold(node: string, user: HeldUser): Promise<HoldAnswer> {
    this.#start();
    const { room: name, userId, member: text, isGuest, max, app, isRepeated } = user;
    if (!this.#isValid(node)) return Promise.resolve("lost");
    const room = this.#room(name);
    const known = room.members.get(userId);
    if (known?.holders.has(node)) return Promise.resolve("already");
    const isQuiet = isRepeated && !this.#isSettled;
    if (!known && max > 0 && !isQuiet) {
      const guests = [...room.members.values()].filter((member) => member.isGuest).length;
      if (!hasRoom({ size: room.members.size, guests }, isGuest, max)) {
        return Promise.resolve("full");
      }
    }
    room.app = app ?? room.app;
    if (known) {
      known.holders.add(node);
      return Promise.resolve("held");
    }
    room.members.set(userId, { text, isGuest, holders: new Set([node]) });
    this.#sendChange(name, { t: "added" }, userId, {}, text);
    this.#follow(name, isQuiet);
    if (app !== undefined && !isQuiet) {
      this.#append("member_added", app, name, { user: userId, member: text });
    }
    return Promise.resolve("held");
  }

  release(
    node: string,
    user: { room: string; userId: string; app?: string; reason: string; deadline: number },
  ): Promise<ReleaseAnswer> {
    this.#start();
    const { room, userId, app, reason, deadline } = user;
    if (!this.#isValid(node)) return Promise.resolve("lost");
    if (this.#now > deadline) return Promise.resolve("late");
    if (!this.holders(room, userId).includes(node)) return Promise.resolve("not_held");
    this.#unhold(node, room, userId, app, reason);
    return Promise.resolve("released");
  }

  read(name: string): Promise<OpenedRoom> {
    this.#start();
    const room = this.#room(name);
    const version = room.version ??= this.#micros;
    const { cached } = room;
    const ttlMs = cached ? cached.till - this.#now : 0;
    return Promise.resolve({
      version,
      isSettled: this.#isSettled,
      members: new Map([...room.members].map(([userId, { text }]) => [userId, text])),
      subscribers: sumOf(room.subscribers),
      ...(cached && ttlMs > 0 && { cached: { text: cached.text, ttlMs } }),
    });
  }

  subscribers(
    node: string,
    name: string,
    count: number,
    app?: string,
    isRepeated = false,
  ): Promise<number | "lost"> {
    this.#start();
    if (!this.#isValid(node)) return Promise.resolve("lost");
    const room = this.#room(name);
    if (app !== undefined) Object.assign(room, { app, doSubscribersOccupy: true });
    return Promise.resolve(this.#setSubscribers(node, name, count, isRepeated && !this.#isSettled));
  }

  publish(
    room: string,
    message: string,
    cached?: { text: string; ttlMs: number },
  ): Promise<void> {
    if (cached) {
      this.#start();
      this.#room(room).cached = { text: cached.text, till: this.#now + Math.ceil(cached.ttlMs) };
    }
    this.#options.publish(room, message);
    return Promise.resolve();
  }

  occupied(app: string): Promise<string[]> {
    const rooms = [...this.#rooms].filter(([, room]) => room.isOccupied && room.app === app);
    return Promise.resolve(rooms.map(([name]) => name));
  }

  sizes(rooms: readonly string[]): Promise<{ members: number; subscribers: number }[]> {
    return Promise.resolve(rooms.map((name) => {
      const { members, subscribers } = this.#room(name);
      return { members: members.size, subscribers: sumOf(subscribers) };
    }));
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
    return this.#now - (this.#beganAt ?? this.#now) >= this.#options.leaseMs;
  }

  #start(): void {
    this.#beganAt ??= this.#now;
  }

  #isValid(node: string): boolean {
    return (this.#leases.get(node)?.till ?? 0) > this.#now;
  }

  #holdsAnything(node: string): boolean {
    return [...this.#rooms.values()].some(({ members, subscribers }) =>
      subscribers.has(node) || [...members.values()].some(({ holders }) => holders.has(node))
    );
  }

  #renew(node: string, totals: string, lease?: Lease): void {
    const isExit = lease?.isExit ?? false;
    const till = lease && isExit ? lease.till : this.#now + this.#options.leaseMs;
    this.#leases.set(node, { till, isExit, totals });
  }

  #beat(): Beat {
    const names = [...this.#leases.keys()];
    return {
      now: this.#now,
      beganAt: this.#beganAt ?? this.#now,
      nodes: names.filter((node) => this.#isValid(node)),
      expired: names.filter((node) => !this.#isValid(node)),
    };
  }

  #room(name: string): Room {
    const known = this.#rooms.get(name);
    if (known) return known;
    const flags = { doSubscribersOccupy: false, isOccupied: false };
    const room = { ...flags, members: new Map(), subscribers: new Map() };
    this.#rooms.set(name, room);
    return room;
  }

  #unhold(node: string, name: string, user: string, app: string | undefined, reason: string): void {
    const room = this.#room(name);
    const member = room.members.get(user);
    if (!member?.holders.delete(node) || member.holders.size > 0) return;
    room.members.delete(user);
    this.#sendChange(name, { t: "removed" }, user, { r: reason });
    if (app !== undefined) {
      this.#append("member_removed", app, name, { user, reason, member: member.text });
    }
    this.#follow(name, false);
  }

  #setSubscribers(node: string, name: string, count: number, isQuiet = false): number {
    const { subscribers } = this.#room(name);
    const before = sumOf(subscribers);
    if (count > 0) subscribers.set(node, count);
    else subscribers.delete(node);
    this.#follow(name, isQuiet);
    const c = sumOf(subscribers);
    if (c !== before) this.#options.publish(name, JSON.stringify({ v: 1, t: "subscribers", c }));
    return c;
  }

  #follow(name: string, isQuiet: boolean): void {
    const room = this.#room(name);
    if (room.app === undefined) return;
    const isOccupied = room.members.size > 0 ||
      (room.doSubscribersOccupy && room.subscribers.size > 0);
    if (isOccupied === room.isOccupied) return;
    room.isOccupied = isOccupied;
    if (isOccupied && isQuiet) return;
    this.#append(isOccupied ? "channel_occupied" : "channel_vacated", room.app, name);
  }

  #sendChange(name: string, kind: object, u: string, end: object, body?: string): void {
    const room = this.#room(name);
    const p = room.version ?? 0;
    const n = room.version = Math.max(p + 1, this.#micros);
    const header = JSON.stringify({ v: 1, ...kind, p, n, u, ...end });
    this.#options.publish(name, body === undefined ? header : `${header}\n${body}`);
  }

  #append(name: string, app: string, room: string, details: Partial<LogEntry> = {}): void {
    const channel = room.slice(room.indexOf(":") + 1);
    this.log.push({ name, app, channel, ...details, at: this.#now });
  }
}

function sumOf(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}
