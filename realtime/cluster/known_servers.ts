import { z } from "zod";
import type { Clock } from "../timing/clock.ts";
import type { ServerRow } from "@/shared/servers.ts";
import { type IgnoredMessages, parseJson } from "./messages/room_message.ts";
import type { Node } from "./node/node.ts";
import type { Engine } from "./engine.ts";
import type { SharedState } from "./state/shared_state.ts";

/** How long a server that was lost stays known, in milliseconds. */
const lostShownMs = 60_000;

/** How long it is known of a server that it ended as planned, in milliseconds: its users are dropped by then. */
const plannedKnownMs = 30_000;

/** How long after the end of a lease its users are dropped at the latest, in milliseconds. */
const dropMs = 2_000;

/** For how many heartbeats a server that starts waits for one of another, which may have ended without a word. */
const awaitedHeartbeats = 3;

/** Between two looks for a heartbeat, in milliseconds. */
const lookMs = 100;

/** What a server says of itself with each heartbeat. */
const totals = z.object({
  host: z.string().max(300),
  version: z.string().max(50),
  /** How long it runs, in milliseconds; clocks differ. */
  age: z.number().nonnegative(),
  connections: z.int().nonnegative(),
  users: z.int().nonnegative(),
  memory: z.int().nonnegative(),
  lag: z.number().nonnegative(),
  leads: z.boolean(),
  /** Counts the heartbeats. */
  beat: z.int(),
  /** Whether it is about to end as planned. */
  stops: z.boolean().optional(),
  /** Whether its users are still coming back after a start without other servers. */
  recovers: z.boolean().optional(),
  /** When that start was by the shared clock, and for how long its number may have users of servers that ended. */
  restart: z.object({ at: z.int(), uncertainMs: z.int().nonnegative() }).optional(),
});

type Totals = z.infer<typeof totals>;
type Restart = NonNullable<Totals["restart"]>;

/** What a server measures of itself. */
export interface Measures {
  readonly host: string;
  readonly version: string;
  readonly connections: number;
  readonly users: number;
  readonly memoryBytes: number;
  readonly eventLoopLagMs: number;
  readonly isRecovering: boolean;
}

/** What {@link KnownServers} are made with. */
export interface KnownServersOptions {
  node: () => Node;
  state: SharedState;
  /** The number of this server. */
  number: number;
  /** How long a server is taken to live after its last heartbeat, in milliseconds. */
  leaseMs: number;
  heartbeatMs: number;
  isLeader: () => boolean;
  ignored: IgnoredMessages;
  /** Where the servers share their users. */
  place: Engine["place"];
  clock: Clock;
}

interface KnownServer {
  row: ServerRow;
  heartbeat: number;
  stops: boolean;
  recovers: boolean;
  restart: Totals["restart"];
  isAlive: boolean;
  /** Whether it sent a heartbeat since this server knows it: one that was killed lives until its lease ends. */
  isProven: boolean;
}

/**
 * The servers that share the users, from what each says of itself with its heartbeats. One that is lost is shown
 * for a minute more; one that ended as planned is known until its users are dropped, and not shown.
 */
export class KnownServers {
  readonly areSeveral = true;
  readonly leaseMs: number;
  readonly place: Engine["place"];
  readonly #options: KnownServersOptions;
  readonly #servers = new Map<string, KnownServer>();
  readonly #listeners = new Set<() => void>();
  readonly #startedAt: number;
  #measure: (() => Measures) | undefined;
  #heartbeat = 0;
  #stops = false;
  #isReading = false;
  #isPartitioned = false;
  #shown = "";

  constructor(options: KnownServersOptions) {
    this.#options = options;
    this.leaseMs = options.leaseMs;
    this.place = options.place;
    this.#startedAt = options.clock.date();
  }

  /** From now on this server says what it measures of itself. */
  measures(measure: () => Measures): void {
    this.#measure = measure;
  }

  /** This server is about to end as planned. */
  stops(): void {
    this.#stops = true;
  }

  /** Whether a server said that it was about to end as planned. @param node a name under which it claimed users */
  wasPlanned(node: string): boolean {
    return this.#servers.get(node.split(".")[0])?.stops ?? false;
  }

  get staleSince(): number | undefined {
    return this.#options.node().staleSince;
  }

  get isPartitioned(): boolean {
    return this.#isPartitioned && this.staleSince !== undefined;
  }

  /** This server was found to be partitioned, or no longer to be. */
  partitioned(isPartitioned: boolean): void {
    this.#isPartitioned = isPartitioned;
    this.#emit();
  }

  /** What servers have registered in the database: servers that do not reach it run nevertheless. */
  reported(all: readonly { id: string; seesRedis: boolean; ageMs: number }[]): void {
    const now = this.#options.clock.date();
    for (const { id, seesRedis, ageMs } of all) {
      const server = this.#servers.get(id);
      if (!server || seesRedis) continue;
      const lastHeartbeatAt = Math.max(server.row.lastHeartbeatAt, now - ageMs);
      server.row = { ...server.row, lastHeartbeatAt, seesRedis };
    }
  }

  get isLeader(): boolean {
    return this.#options.isLeader();
  }

  get ignoredMessages(): IgnoredMessages["counts"] {
    return this.#options.ignored.counts;
  }

  /** Whether another server has all its users, so that the number is right. */
  get hasCertainOthers(): boolean {
    return this.#others().some(({ isProven, recovers }) => isProven && !recovers);
  }

  /**
   * The start of the servers that recover together, which is the first of their starts: how long ago it was, and for how
   * long after it the number may have users of servers that ended. In milliseconds.
   */
  get restart(): { agoMs: number; uncertainMs: number } {
    const { at, uncertainMs } = this.#firstRestart();
    return { agoMs: Math.max(0, this.#options.node().sharedNow() - at), uncertainMs };
  }

  #firstRestart(): Restart {
    const others = this.#others().filter(({ recovers }) => recovers).map(({ restart }) => restart);
    const known = [this.#ownRestart(), ...others].filter((restart) => restart !== undefined);
    return known.reduce((first, restart) => isBefore(restart, first) ? restart : first);
  }

  #ownRestart(): Restart {
    const { leaseMs, node } = this.#options;
    const { at, isAlone } = node().firstLease ?? { at: node().sharedNow(), isAlone: false };
    // The users of servers that ended just now are members until their leases end.
    return { at, uncertainMs: isAlone ? 0 : leaseMs + dropMs };
  }

  /** The other servers that live and are not about to end. */
  #others(): KnownServer[] {
    return this.#present().filter(({ isAlive, row, stops }) => isAlive && !row.isSelf && !stops);
  }

  /**
   * Reads what the others have said, at the start of this one, and waits for the next heartbeat of one that seems to
   * have all its users; for three heartbeats at most. Never rejects.
   */
  async findOthers(): Promise<void> {
    const { clock, heartbeatMs } = this.#options;
    const end = clock.now() + awaitedHeartbeats * heartbeatMs;
    await this.read();
    const mayLive = () => this.#others().some(({ recovers }) => !recovers);
    while (!this.hasCertainOthers && mayLive() && clock.now() < end) {
      await new Promise<void>((resolve) => clock.after(lookMs, resolve));
      await this.read();
    }
  }

  get alive(): { alive: number; known: number } {
    const servers = this.#present();
    const alive = servers.filter(({ isAlive }) => isAlive).length;
    return { alive: Math.max(alive, 1), known: Math.max(servers.length, 1) };
  }

  list(): Promise<ServerRow[]> {
    return Promise.resolve(this.#present().map(({ row }) => row));
  }

  #present(): KnownServer[] {
    return [...this.#servers.values()].filter(({ isAlive, stops }) => isAlive || !stops);
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** What this server says with its next heartbeat. */
  totals(): string {
    const { clock, isLeader, node } = this.#options;
    const now = this.#measure?.();
    // Until it measures, it has just started.
    const recovers = now?.isRecovering ?? true;
    return JSON.stringify(
      {
        host: now?.host ?? "",
        version: now?.version ?? "",
        age: clock.date() - this.#startedAt,
        connections: now?.connections ?? 0,
        users: now?.users ?? 0,
        memory: now?.memoryBytes ?? 0,
        lag: now?.eventLoopLagMs ?? 0,
        leads: isLeader(),
        beat: ++this.#heartbeat,
        stops: this.#stops || undefined,
        recovers,
        restart: recovers && node().firstLease ? this.#firstRestart() : undefined,
      } satisfies Totals,
    );
  }

  /** Reads what all servers have said. Never rejects. */
  async read(): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      if (this.staleSince === undefined) this.#took(await this.#options.state.totals());
    } catch {
      // The next heartbeat reads again.
    }
    this.#isReading = false;
    this.#emit();
  }

  /** Calls the listeners if there is something new for them. */
  #emit(): void {
    const { alive, hasCertainOthers, isPartitioned, isLeader, staleSince } = this;
    const shown = { alive, hasCertainOthers, isPartitioned, isLeader, staleSince };
    const state = JSON.stringify([shown, this.#firstRestart()]);
    if (state === this.#shown) return;
    this.#shown = state;
    for (const listener of this.#listeners) listener();
  }

  #took(all: ReadonlyMap<string, string>): void {
    const alive = new Set<string>();
    for (const [node, text] of all) {
      const [number] = node.split(".");
      alive.add(number);
      this.#reported(number, text);
    }
    const now = this.#options.clock.date();
    for (const [number, server] of this.#servers) {
      server.isAlive = alive.has(number);
      // One that ended as planned is known until its users are dropped, and shown no more.
      const knownMs = server.stops ? plannedKnownMs : lostShownMs;
      const isOver = now - server.row.lastHeartbeatAt > knownMs;
      if (!server.isAlive && isOver) this.#servers.delete(number);
    }
  }

  #reported(number: string, text: string): void {
    const result = totals.safeParse(parseJson(text));
    if (!result.success) return;
    const { age, beat: heartbeat, connections, host, lag, leads, memory, recovers = false } =
      result.data;
    const { restart, stops = false, users, version } = result.data;
    const server = this.#servers.get(number);
    if (server?.heartbeat === heartbeat) return;
    const now = this.#options.clock.date();
    const row: ServerRow = {
      number,
      host,
      version,
      connections,
      users,
      memoryBytes: memory,
      eventLoopLagMs: lag,
      startedAt: server?.row.startedAt ?? Math.round(now - age),
      isLeader: leads,
      isSelf: number === String(this.#options.number),
      lastHeartbeatAt: now,
      seesRedis: true,
    };
    const isProven = server !== undefined;
    this.#servers.set(number, {
      row,
      heartbeat,
      stops,
      recovers,
      restart,
      isAlive: true,
      isProven,
    });
  }
}

/** Of servers that start in the same millisecond, the one that was alone began before the others. */
function isBefore(one: Restart, other: Restart): boolean {
  return one.at < other.at || one.at === other.at && one.uncertainMs < other.uncertainMs;
}
