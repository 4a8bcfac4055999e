import type { PostgresServer } from "@/tests/fixtures/postgres.ts";
import { ApiCaller } from "../load_client.ts";
import { publicChannel } from "../bench_app.ts";
import type { Pair } from "../measurement.ts";
import { Crowd, FrameCounter } from "../crowd.ts";
import { type Figures, Installation, type InstallationKind, type Part } from "./installation.ts";
import { EventPath } from "./convergence.ts";

/** Members of an installation, how many join and leave a second, and turns of a round. */
const [members, perSecond, turns] = [600, 1_000, 3];

/** Events to three subscribers, one at each of three servers, and to all members. */
const [small, large] = [300, 40];

/** Client events of which the latency is measured. */
const sent = 300;

const room = "presence-bench";

/** How long after the last sign of some work its end is awaited, in milliseconds. */
const settleMs = 300;

/** How long an installation is measured without work, in milliseconds. */
const idleMs = 2_000;

const kinds = {
  alone: { servers: 1, redis: false },
  one: { servers: 1, redis: true },
  three: { servers: 3, redis: true },
} satisfies Record<string, InstallationKind>;

const ofServers = {
  join: { name: "CPU of a join", unit: "µs" },
  leave: { name: "CPU of a leave", unit: "µs" },
  publish: { name: "CPU of a publish to 3 subscribers", unit: "µs" },
  delivery: { name: "CPU of a delivery, 600 subscribers", unit: "µs" },
  p50: { name: "latency of a client event, p50", unit: "ms" },
  p99: { name: "latency of a client event, p99", unit: "ms" },
  idle: { name: "CPU of a second without work", unit: "ms" },
};

const ofRedis = {
  redisJoin: { name: "CPU of a join", unit: "µs" },
  redisLeave: { name: "CPU of a leave", unit: "µs" },
  redisPublish: { name: "CPU of a publish", unit: "µs" },
  redisLoad: { name: "CPU of 1,000 joins a second", unit: "% of a core" },
  redisIdle: { name: "CPU of a second without work", unit: "ms" },
};

/**
 * What a join, a leave and a publish cost: all servers together and Redis. Members are quiet, and one
 * client is not, so that a join is one delivery in each installation.
 */
export const costs: Part = {
  name: "costs",
  comparisons: [
    { name: "one server with Redis, beside none", figures: ofServers },
    { name: "three servers with Redis, beside one without", figures: ofServers },
    { name: "Redis of three servers, beside of one", figures: ofRedis },
  ],
  async round(postgres) {
    const [alone, one, three] = await Promise.all([
      Measured.start(kinds.alone, postgres),
      Measured.start(kinds.one, postgres),
      Measured.start(kinds.three, postgres),
    ]);
    await using _alone = alone;
    await using _one = one;
    await using _three = three;
    const pairs: Pair[][] = [[], [], []];
    for (let turn = 0; turn < turns; turn++) {
      const [beside, ofOne] = [await alone.measure(), await one.measure()];
      const ofThree = await three.measure();
      pairs[0].push({ beside, measured: ofOne });
      pairs[1].push({ beside, measured: ofThree });
      pairs[2].push({ beside: ofOne, measured: ofThree });
    }
    return pairs;
  },
};

/** An installation with its clients. */
class Measured implements AsyncDisposable {
  /** Microseconds of CPU time without work, per millisecond. */
  #idle: Cpu = { servers: 0, redis: 0 };
  readonly #others: Crowd;
  readonly #witnesses: Witnesses;
  readonly #path: EventPath;
  readonly #caller: ApiCaller;

  private constructor(
    readonly installation: Installation,
    readonly crowd: Crowd,
    others: { crowd: Crowd; witnesses: Witnesses; path: EventPath; caller: ApiCaller },
  ) {
    this.#others = others.crowd;
    this.#witnesses = others.witnesses;
    this.#path = others.path;
    this.#caller = others.caller;
  }

  static async start(kind: InstallationKind, postgres: PostgresServer): Promise<Measured> {
    const installation = await Installation.start(kind, postgres);
    const { ports } = installation;
    const crowd = new Crowd();
    const others = new Crowd();
    await crowd.connect(ports, members);
    const path = await EventPath.between([ports[0], ports.at(-1)!], others);
    const witnesses = await Witnesses.connect(ports, others);
    const caller = await ApiCaller.connect(ports[0]);
    const measured = new Measured(installation, crowd, {
      crowd: others,
      witnesses,
      path,
      caller,
    });
    await measured.measure();
    return measured;
  }

  async measure(): Promise<Figures> {
    const crowd = this.crowd;
    const { added, removed } = this.#witnesses;
    this.#idle = { servers: 0, redis: 0 };
    const idle = this.#idle = await this.#cpu(idleMs, () => sleep(idleMs - settleMs));
    const join = await this.#cpu(
      members,
      () => added.more(members, () => crowd.join(room, perSecond)),
    );
    const leave = await this.#cpu(
      members,
      () => removed.more(members, () => crowd.leave(room, perSecond)),
    );
    const publish = await this.#cpu(small, () => this.#publish(small));
    await crowd.subscribe(publicChannel);
    await sleep(settleMs);
    const delivery = await this.#cpu(large * members, () => this.#publish(large));
    await crowd.leave(publicChannel, Infinity);
    await sleep(settleMs);
    return {
      ...await this.#path.latencies(sent),
      join: join.servers,
      leave: leave.servers,
      publish: publish.servers,
      delivery: delivery.servers,
      idle: idle.servers,
      redisJoin: join.redis,
      redisLeave: leave.redis,
      redisPublish: publish.redis,
      redisLoad: join.redis / 10,
      redisIdle: idle.redis,
    };
  }

  /** Events one after another, each when the previous one has reached the witnesses. */
  async #publish(count: number): Promise<void> {
    for (; count > 0; count--) await this.#witnesses.published(() => this.#caller.trigger());
  }

  /** Microseconds of CPU time that each of some steps takes beyond what passes without work. */
  async #cpu(steps: number, act: () => Promise<unknown>): Promise<Cpu> {
    const { installation } = this;
    const [servers, redis] = [await installation.cpu(), await installation.redisCpu()];
    const start = performance.now();
    await act();
    await sleep(settleMs);
    const elapsed = performance.now() - start;
    const used = { servers: await installation.cpu(), redis: await installation.redisCpu() };
    return {
      servers: (used.servers - servers - elapsed * this.#idle.servers) / steps,
      redis: (used.redis - redis - elapsed * this.#idle.redis) / steps,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#caller.close();
    this.crowd[Symbol.dispose]();
    this.#others[Symbol.dispose]();
    await this.installation[Symbol.asyncDispose]();
  }
}

interface Cpu {
  servers: number;
  redis: number;
}

/** Three subscribers of the public channel, spread over the servers, and a member that is not quiet. */
class Witnesses {
  readonly added = new FrameCounter("member_added");
  readonly removed = new FrameCounter("member_removed");
  readonly #published = Array.from({ length: 3 }, () => new FrameCounter('"update"'));

  static async connect(ports: number[], crowd: Crowd): Promise<Witnesses> {
    const witnesses = new Witnesses();
    for (const [index, counter] of witnesses.#published.entries()) {
      const client = await crowd.add(ports[index % ports.length], counter);
      await client.subscribe({ channel: publicChannel });
    }
    const { added, removed } = witnesses;
    const member = await crowd.add(ports[0], {
      received(bytes, chunk) {
        added.received(bytes, chunk);
        removed.received(bytes, chunk);
      },
    });
    await member.joinPresence(room, { id: "witness", isQuiet: false });
    await sleep(settleMs);
    return witnesses;
  }

  /** Runs a function and waits until all subscribers have the event. */
  async published(publish: () => Promise<unknown>): Promise<void> {
    const all = this.#published.map((counter) => counter.reach(counter.count + 1));
    await Promise.all([...all, publish()]);
  }
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
