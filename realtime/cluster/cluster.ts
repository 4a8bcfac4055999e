/**
 * This server among others that share its users over an engine: Redis, or the coordinator of workers. Loaded only
 * with one of them.
 *
 * `node/` is this server: its lease, which it renews with a heartbeat each second, the users whom it claims and the
 * rooms that it follows. `state/` is what the engine decides, each in one step: who is a member, over all
 * servers; as scripts for Redis, and in `state/memory/` for the coordinator. `messages/` travel on the topic of a
 * room, each with the version of the room that it follows. `bus/` has requests to other servers, and commands for
 * them. `leader/` finds the one server that does what an installation does once, and hands it the log of all servers.
 *
 * The promises: a user is a member while at least one server claims them, and only a server with a valid lease can
 * claim. Users who move to another server in time neither leave nor join. Users of a lost server are gone within 15
 * seconds. A missed message shows as a gap in the versions, and the room is read again; no client is sent anything
 * false in the meantime.
 *
 * The trade-off: the engine is asked when a user's first connection to a server opens, and after the last one
 * closes. While it is away no join and no leave is decided, so the numbers are stale, and pages say since when.
 * What it has lost, the servers register again. No server reads first and then acts on what it read, so no lock is
 * needed.
 *
 * @module
 */
import type { MakeBroker } from "../brokers/broker.ts";
import type { LogEntry } from "../options.ts";
import type { RealtimeServer } from "../server.ts";
import type { Clock } from "../timing/clock.ts";
import { ServerBus } from "./bus/server_bus.ts";
import type { Engine, Link } from "./engine.ts";
import { KnownServers, type Measures } from "./known_servers.ts";
import { Leader, type SingletonTasks } from "./leader/leader.ts";
import { LogWriter } from "./leader/log_entry.ts";
import { IgnoredMessages } from "./messages/room_message.ts";
import { Node } from "./node/node.ts";
import { NodeBrokers } from "./node/node_broker.ts";
import { type SharedState, topicOf } from "./state/shared_state.ts";

/** Where servers share their users: in Redis, by its address and the prefix of keys, or at their coordinator. */
export type SharedPlace =
  | { url: string; prefix: string }
  | { /** Of the coordinator's socket. */ socketPath: string };

/** How to reach the other servers. Times are in milliseconds. */
export type ClusterOptions = SharedPlace & {
  clock: Clock;
  log: (entry: LogEntry) => void;
  /** How long a server is taken to live after its last heartbeat. Default 10,000; the same on all servers. */
  leaseMs?: number;
  /** Default 1,000. */
  heartbeatMs?: number;
};

/** This server among others that share its users. */
export class Cluster {
  readonly node: Node;
  readonly engine: Engine;
  readonly link: Link;
  readonly state: SharedState;
  /** The first half of the ids of this server's sockets. */
  readonly number: number;
  /** The servers, for pages. */
  readonly servers: KnownServers;
  readonly bus: ServerBus;
  /** Makes the broker of an app. */
  readonly broker: MakeBroker;
  readonly #options: ClusterOptions;
  #leader: Leader | undefined;

  private constructor(
    engine: Engine,
    options: ClusterOptions & { leaseMs: number; heartbeatMs: number },
  ) {
    const { clock, leaseMs, heartbeatMs, log } = options;
    const { link, prefix, state } = engine;
    this.#options = options;
    this.engine = engine;
    this.link = link;
    this.state = state;
    const number = this.number = crypto.getRandomValues(new Uint32Array(1))[0] || 1;
    const ignored = new IgnoredMessages(log);
    const servers = this.servers = new KnownServers({
      state,
      number,
      leaseMs,
      heartbeatMs,
      clock,
      ignored,
      place: engine.place,
      node: () => this.node,
      isLeader: () => this.#leader?.isLeader ?? false,
    });
    const totals = () => servers.totals();
    this.node = new Node({
      state,
      link,
      place: engine.name,
      clock,
      number,
      leaseMs,
      heartbeatMs,
      totals,
      log,
      isLeader: () => this.#leader?.isLeader ?? true,
      wasPlanned: (node) => servers.wasPlanned(node),
    });
    this.node.onChange(() => void servers.read());
    this.broker = new NodeBrokers({
      node: this.node,
      link,
      state,
      ignored,
      topicOf: (room) => topicOf(prefix, room),
    }).make;
    this.bus = new ServerBus({
      link,
      prefix,
      clock,
      ignored,
      log,
      serverNumber: number,
      nodes: () => this.node.nodes,
    });
  }

  /**
   * Connects to what the servers share, and takes a lease.
   *
   * @throws {Error} with one line, without a password, when it cannot be used.
   */
  static async open(
    { leaseMs = 10_000, heartbeatMs = 1_000, ...given }: ClusterOptions,
  ): Promise<Cluster> {
    const options = { leaseMs, heartbeatMs, ...given };
    const engine = await openEngine(options);
    const cluster = new Cluster(engine, options);
    try {
      await cluster.bus.start();
      await cluster.node.start();
    } catch (error) {
      await cluster.close();
      throw error;
    }
    return cluster;
  }

  /**
   * Answers the other servers from now on, and logs what this one alone sees.
   *
   * @param measure what this server says of itself.
   */
  serve(
    realtime: RealtimeServer,
    measure: () => Measures,
  ): void {
    this.bus.serve(realtime);
    const writer = new LogWriter(this.engine.log, this.#options.log);
    realtime.onServerEvent((event, app) => void writer.append(event, app));
    this.servers.measures(measure);
  }

  /** Does what an installation does once, whenever this server is the leader. Call it once. */
  lead(tasks: SingletonTasks): void {
    const { clock, log } = this.#options;
    const { engine, node, state } = this;
    this.#leader = new Leader({
      shared: engine.log,
      state,
      tasks,
      log,
      clock,
      node: () => node.name,
    });
    this.#leader.start();
  }

  /** Gives up leadership, because this server is about to close its sockets. Never rejects. */
  async stepDown(): Promise<void> {
    this.servers.stops();
    await this.#leader?.stop();
  }

  /** Ends the lease within some milliseconds: the users of this server have that time to return elsewhere. */
  async exit(afterMs: number): Promise<void> {
    await this.node.exit(afterMs);
  }

  /** Closes the connection. Without {@link exit} before, the others take this server for lost. */
  async close(): Promise<void> {
    this.node.stop();
    await this.bus.stop();
    await this.link.close();
  }
}

/** Connects to what servers share; nothing of another place is loaded. */
async function openEngine(options: ClusterOptions & { leaseMs: number }): Promise<Engine> {
  if ("url" in options) {
    const { RedisEngine } = await import("./redis/redis_engine.ts");
    return await RedisEngine.open(options);
  }
  const { CoordinatorEngine } = await import("./coordinator/coordinator_engine.ts");
  return await CoordinatorEngine.open(options);
}
