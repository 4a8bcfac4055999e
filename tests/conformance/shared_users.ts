import { Cluster } from "@/realtime/cluster/cluster.ts";
import { IgnoredMessages } from "@/realtime/cluster/messages/room_message.ts";
import { NodeBrokers } from "@/realtime/cluster/node/node_broker.ts";
import { type SharedState, topicOf } from "@/realtime/cluster/state/shared_state.ts";
import { RedisState } from "@/realtime/cluster/state/redis_state.ts";
import type { Shared } from "@/realtime/cluster/leader/leader.ts";
import { LeaderTasks } from "@/server/recording/leader_tasks.ts";
import type { OnlineRecorder } from "@/server/recording/online_recorder.ts";
import type { LogEntry, OtherServers, RealtimeOptions, RealtimeServer } from "@/realtime/server.ts";
import { systemClock } from "@/realtime/timing/clock.ts";
import type { Webhooks } from "@/realtime/webhooks/webhooks.ts";
import { until } from "../fixtures/eventually.ts";
import { redisOf } from "../fixtures/redis.ts";
import { partOf } from "../fixtures/doubles.ts";

/** Where servers share their users. */
export interface SharedUsersOptions {
  /** Of Redis. */
  url: string;
  prefix: string;
}

/**
 * One of several servers of a process, among the others. Leases and heartbeats go by the system's clock; where the
 * sockets' clock is stopped, the events that channels keep expire by that one.
 */
export class SharedUsers {
  readonly #cluster: Cluster;
  readonly #options: SharedUsersOptions;
  readonly #hasOwnClock: boolean;
  readonly #log: (entry: LogEntry) => void;
  /** While this server is the leader. */
  #lead: Shared | undefined;

  private constructor(
    cluster: Cluster,
    options: SharedUsersOptions,
    { hasOwnClock, log }: { hasOwnClock: boolean; log: (entry: LogEntry) => void },
  ) {
    this.#cluster = cluster;
    this.#options = options;
    this.#hasOwnClock = hasOwnClock;
    this.#log = log;
  }

  /** Takes a lease. */
  static async join(
    { url, prefix }: SharedUsersOptions,
    own: { hasOwnClock: boolean; log: (entry: LogEntry) => void },
  ): Promise<SharedUsers> {
    const cluster = await Cluster.open({ url, prefix, clock: systemClock, log: own.log });
    const users = new SharedUsers(cluster, { url, prefix }, own);
    const { clockKey, redis } = users.#place;
    await redis.command(["SET", clockKey, String(Date.now() * 1_000), "NX"]);
    return users;
  }

  /** Waits until one of the servers is the leader. */
  static async haveLeader(all: readonly SharedUsers[]): Promise<void> {
    await until(() => all.some((users) => users.#lead !== undefined), "a server led");
  }

  /** Waits until each server has received what the others sent it before. */
  static async settle(all: readonly SharedUsers[]): Promise<void> {
    await Promise.all(all.map((users) => redisOf(users.#cluster).command(["PING"])));
    await Promise.all(all.map((users) => users.#receivesTopic()));
  }

  /** Advances the clock in Redis, after what happened before. */
  static async advance(all: readonly SharedUsers[], milliseconds: number): Promise<void> {
    await SharedUsers.settle(all);
    // A server whose process is starved loses leadership: then the next one has to catch up.
    await until(() => SharedUsers.#haveCaughtUp(all), "the leader had read the log of events");
    const [{ clockKey, redis }] = all.map((users) => users.#place);
    await redis.command(["INCRBY", clockKey, String(milliseconds * 1_000)]);
  }

  static async #haveCaughtUp(all: readonly SharedUsers[]): Promise<boolean> {
    const lead = all.map((users) => users.#lead).find((lead) => lead !== undefined);
    return await lead?.caughtUp() === true;
  }

  /** For the server. */
  get options(): Pick<RealtimeOptions, "broker" | "serverNumber"> {
    const { broker, link, node, number: serverNumber } = this.#cluster;
    if (!this.#hasOwnClock) return { broker, serverNumber };
    const state = this.#stateWithClock();
    const ignored = new IgnoredMessages(this.#log);
    const brokers = new NodeBrokers({
      node,
      link,
      state,
      ignored,
      topicOf: (room) => topicOf(this.#options.prefix, room),
    });
    return { serverNumber, broker: brokers.make };
  }

  /** The servers beside this one. */
  get others(): OtherServers {
    return this.#cluster.bus.others;
  }

  /** Answers the others from now on, and sends the webhooks of all while it is the leader. */
  serve(realtime: RealtimeServer, webhooks: Webhooks): void {
    const none = { connections: 0, users: 0, memoryBytes: 0, eventLoopLagMs: 0 };
    this.#cluster.serve(
      realtime,
      () => ({ host: "localhost", version: "0", isRecovering: false, ...none }),
    );
    const recorder: OnlineRecorder = partOf({
      continue: () => Promise.resolve(),
      take: () => Promise.resolve(),
      check() {},
      stop: () => Promise.resolve(),
    });
    const tasks = new LeaderTasks(partOf({ realtime }), { webhooks, counted: [] }, recorder);
    this.#cluster.lead({
      begin: async (shared) => {
        await tasks.begin(shared);
        this.#lead = shared;
      },
      get hasRoom() {
        return tasks.hasRoom;
      },
      take: (logged) => tasks.take(logged),
      lost: () => tasks.lost(),
      end: async () => {
        this.#lead = undefined;
        await tasks.end();
      },
    });
  }

  /** Gives up leadership. */
  async claim(): Promise<void> {
    await this.#cluster.stepDown();
  }

  /** Ends the lease. */
  async leave(): Promise<void> {
    await this.#cluster.exit(0);
    await this.#cluster.close();
  }

  /** Messages that were sent before come on the same connection. */
  async #receivesTopic(): Promise<void> {
    const topic = `${this.#options.prefix}settled:${crypto.randomUUID()}`;
    await this.#cluster.link.subscribe(topic, () => {});
    await this.#cluster.link.unsubscribe(topic);
  }

  get #place() {
    return { redis: redisOf(this.#cluster), clockKey: `${this.#options.prefix}clock` };
  }

  #stateWithClock(): SharedState {
    const { state } = this.#cluster;
    const { prefix } = this.#options;
    const kept = new RedisState({ ...this.#place, prefix, leaseMs: 10_000 });
    return partOf({
      read: kept.read.bind(kept),
      publish: kept.publish.bind(kept),
      claim: state.claim.bind(state),
      release: state.release.bind(state),
      subscribers: state.subscribers.bind(state),
      occupied: state.occupied.bind(state),
      sizes: state.sizes.bind(state),
      scan: state.scan.bind(state),
      cached: kept.cached.bind(kept),
      members: state.members.bind(state),
    });
  }
}
