import type { Broker, BrokerOptions } from "../realtime/brokers/broker.ts";
import type { LogEntry } from "../realtime/options.ts";
import type { Clock } from "../realtime/timing/clock.ts";
import { ServerBus } from "./bus/server_bus.ts";
import { Node, type NodeOptions } from "./node/node.ts";
import { RedisBroker } from "./node/redis_broker.ts";
import { connectRedis } from "./redis/connection.ts";
import type { Redis } from "./redis/redis.ts";
import { topicOf } from "./state/keys.ts";
import { RedisState } from "./state/redis_state.ts";
import type { SharedState } from "./state/shared_state.ts";

/** How to reach the other servers. Times are in milliseconds. */
export interface ClusterOptions extends Pick<NodeOptions, "totals"> {
  /** As `REDIS_URL` has it. */
  url: string;
  /** Of all keys and topics. */
  prefix: string;
  clock: Clock;
  log: (entry: LogEntry) => void;
  /** How long a server is taken to live after its last beat. Default 10,000; the same on all servers. */
  leaseMs?: number;
  /** Default 1,000. */
  beatMs?: number;
}

/** This server among others that share its users over Redis. */
export class Cluster {
  readonly node: Node;
  readonly redis: Redis;
  readonly state: SharedState;
  readonly bus: ServerBus;
  /** The first half of the ids of this server's sockets. */
  readonly number: number;
  readonly #options: ClusterOptions;

  private constructor(redis: Redis, options: ClusterOptions) {
    const { clock, leaseMs = 10_000, beatMs = 1_000, log, prefix, totals } = options;
    this.#options = options;
    this.redis = redis;
    this.number = crypto.getRandomValues(new Uint32Array(1))[0];
    this.state = new RedisState({ redis, prefix, leaseMs });
    const { number, state } = this;
    this.node = new Node({ ...{ state, redis, clock, number, leaseMs, beatMs, totals, log } });
    this.bus = new ServerBus({
      ...{ redis, prefix, serverNumber: number, clock, log },
      nodes: () => this.node.nodes,
    });
  }

  /**
   * Connects to Redis and takes a lease.
   *
   * @throws {Error} with one line, without a password, when Redis cannot be used.
   */
  static async open(options: ClusterOptions): Promise<Cluster> {
    const { log, url } = options;
    const redis = await connectRedis({
      url,
      onProblem: (reason) => log({ level: "warn", message: "Redis is not reached", reason }),
    });
    const cluster = new Cluster(redis, options);
    try {
      await cluster.bus.start();
      await cluster.node.start();
    } catch (error) {
      await redis.close();
      throw error;
    }
    return cluster;
  }

  /** Makes the broker of an app. */
  readonly broker = (app: BrokerOptions): Broker => {
    const { log, prefix } = this.#options;
    const { node, redis, state } = this;
    return new RedisBroker(app, {
      ...{ node, redis, state, log },
      topicOf: (room) => topicOf(prefix, room),
    });
  };

  /** Closes the connection. Without {@link Node.exit} before, the others take this server for dead. */
  async close(): Promise<void> {
    this.node.stop();
    await this.bus.stop();
    await this.redis.close();
  }
}
