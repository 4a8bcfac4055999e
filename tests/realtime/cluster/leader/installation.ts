import { Cluster } from "@/realtime/cluster/cluster.ts";
import { Leader } from "@/realtime/cluster/leader/leader.ts";
import type { Redis, RedisReply } from "@/realtime/cluster/redis/redis.ts";
import { logKey, roomOf } from "@/realtime/cluster/state/shared_state.ts";
import { RedisLog } from "@/realtime/cluster/redis/redis_engine.ts";
import { RedisState } from "@/realtime/cluster/state/redis_state.ts";
import { memberText } from "@/realtime/cluster/messages/room_message.ts";
import type { Core } from "@/server/core.ts";
import type { Database } from "@/server/database/database.ts";
import { LeaderTerm } from "@/server/database/leader_term.ts";
import { WebhookOutbox } from "@/server/database/webhook_outbox.ts";
import { LeaderTasks } from "@/server/recording/leader_tasks.ts";
import { OnlineRecorder } from "@/server/recording/online_recorder.ts";
import { appSettings, webhookParts } from "@/realtime/app_config.ts";
import type { LeaveReason, LogEntry } from "@/realtime/server.ts";
import { systemClock } from "@/realtime/timing/clock.ts";
import { type OutboxStore, Webhooks } from "@/realtime/webhooks/webhooks.ts";
import { app } from "../../harness.ts";
import { redisOf } from "../../../fixtures/redis.ts";
import { onlineKey } from "@/shared/counted.ts";
import { partOf } from "../../../fixtures/doubles.ts";

/** How long servers and their leadership last without a renewal in these tests, in milliseconds. */
export const [leaseMs, leadershipMs] = [4_000, 2_000];

/** Where servers of a test meet. */
export interface Place {
  address: string;
  prefix: string;
  database: Database;
  /** The address of the webhook. */
  webhook: string;
}

/** A server that does what an installation does once, when it is the leader. */
export class LeadingServer {
  readonly logged: LogEntry[] = [];
  readonly recorder: OnlineRecorder;
  readonly webhooks: Webhooks;
  /** Whether it reaches Redis as a leader; its lease goes on, as a server's without tasks. */
  isCut = false;
  /** Resolves when the server goes on to store joins, leaves and events for webhooks. */
  paused: Promise<void> = Promise.resolve();
  readonly leader: Leader;

  private constructor(readonly cluster: Cluster, { database, prefix, webhook }: Place) {
    const log = (entry: LogEntry) => this.logged.push(entry);
    const term = new LeaderTerm(database);
    const settings = appSettings({
      ...app,
      id: "own",
      webhooks: [{ url: webhook, include: webhookParts }],
    });
    const outbox = new WebhookOutbox(database, term);
    const store: OutboxStore = {
      list: () => outbox.list(),
      read: (ids) => outbox.read(ids),
      write: (...changes) => this.paused.then(() => outbox.write(...changes)),
    };
    this.webhooks = new Webhooks({
      store,
      appOf: () => settings,
      log,
      limits: { answerMs: 1_000, firstRetryMs: 50, lastRetryMs: 200, maxUnsavedEvents: 20 },
    });
    this.recorder = newRecorder(database, term, log, () => this.paused);
    const redis = this.#reached(redisOf(cluster));
    const core: Core = partOf({ term, realtime: partOf({ app: () => partOf({ settings }) }) });
    this.leader = new Leader({
      shared: new RedisLog(redis, prefix),
      log,
      pollMs: 10,
      leaseMs: leadershipMs,
      state: new RedisState({ redis, prefix, leaseMs }),
      node: () => cluster.node.name,
      tasks: new LeaderTasks(core, { webhooks: this.webhooks, counted: [] }, this.recorder),
    });
    this.leader.start();
  }

  static async start(place: Place): Promise<LeadingServer> {
    return new LeadingServer(await open(place), place);
  }

  #reached(redis: Redis): Redis {
    const check = () => {
      if (this.isCut) throw new Error("Redis is not reached");
    };
    /** Without an answer, also when what was asked was done. */
    const answered = async (reply: Promise<RedisReply>) => {
      const answer = await reply;
      check();
      return answer;
    };
    return {
      get isUp() {
        return redis.isUp;
      },
      get serverId() {
        return redis.serverId;
      },
      onChange: (listener) => redis.onChange(listener),
      command: async (words) => {
        check();
        return await answered(redis.command(words));
      },
      run: async (script, args) => {
        check();
        return await answered(redis.run(script, args));
      },
      publish: (topic, message) => redis.publish(topic, message),
      subscribe: (topic, listener) => redis.subscribe(topic, listener),
      unsubscribe: (topic) => redis.unsubscribe(topic),
      close: () => redis.close(),
    };
  }

  /** Stops as a planned end does. */
  async stop(): Promise<void> {
    await this.leader.stop();
    await this.cluster.close();
  }
}

function newRecorder(
  database: Database,
  term: LeaderTerm,
  log: (entry: LogEntry) => void,
  whenContinued: () => Promise<void>,
): OnlineRecorder {
  return new OnlineRecorder({
    database,
    isCountedHere: true,
    activityDays: 0,
    term,
    log,
    realtime: partOf({ onServerEvent: () => () => {} }),
    channels: [{
      key: onlineKey,
      appId: "own",
      channel: onlineKey,
      presence: partOf({
        now: { users: 0, connections: 0, userIds: [] },
        members: () => [],
        onPresence: () => () => {},
        onRemoved: () => () => {},
        active: null,
        onActiveUsers: () => () => {},
      }),
      recovery: partOf({ whenOver: () => () => {} }),
    }],
    // It is asked just before each write.
    accountsOf: () => whenContinued().then(() => []),
    onStored: () => {},
    clock: systemClock,
  });
}

function open({ address, prefix }: Place): Promise<Cluster> {
  return Cluster.open({
    url: address,
    prefix,
    clock: systemClock,
    leaseMs,
    heartbeatMs: 200,
    log: () => {},
  });
}

/** The users of an installation, held by a server without tasks. */
export class Users {
  readonly #room = roomOf("own", onlineKey);

  private constructor(readonly cluster: Cluster, readonly place: Place) {}

  static async open(place: Place): Promise<Users> {
    return new Users(await open(place), place);
  }

  async join(userId: string, isRepeated = false): Promise<void> {
    const options = { name: `Name of ${userId}` };
    const member = memberText({ id: userId, info: '{"a":1}', options, joinedAt: Date.now() });
    const limits = { isGuest: false, max: 0, app: "own", isRepeated };
    const user = { room: this.#room, userId, member, ...limits };
    const answer = await this.cluster.state.claim(this.cluster.node.name!, user);
    if (answer !== "held") throw new Error(`The user is not held: ${answer}`);
  }

  async leave(userId: string, reason: LeaveReason = "closed"): Promise<void> {
    const deadline = Number.MAX_SAFE_INTEGER;
    const user = { room: this.#room, userId, app: "own", reason, deadline };
    const answer = await this.cluster.state.release(this.cluster.node.name!, user);
    if (answer !== "released") throw new Error(`The user is not released: ${answer}`);
  }

  /** How many entries of the log were not read, or read and not acknowledged. */
  async unfinished(): Promise<number> {
    const { pending, lag } = await this.log();
    return pending + lag;
  }

  /** How many entries of the log were read and not acknowledged, and how many were not read. */
  async log(): Promise<{ pending: number; lag: number }> {
    const groups = await redisOf(this.cluster).command([
      "XINFO",
      "GROUPS",
      logKey(this.place.prefix),
    ]);
    const [group] = groups as RedisReply[][];
    if (!group) return { pending: 0, lag: Infinity };
    const value = (name: string) => Number(group[group.indexOf(name) + 1] ?? 0);
    return { pending: value("pending"), lag: value("lag") };
  }
}
