import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { connectRedis } from "@/realtime/cluster/redis/redis_connection.ts";
import type { Redis } from "@/realtime/cluster/redis/redis.ts";
import { systemClock } from "@/realtime/timing/clock.ts";
import { until } from "../../../fixtures/eventually.ts";
import { type RedisServer, startRedis } from "../../../fixtures/redis.ts";
import { BusServer, room } from "./bus_server.ts";

/** Two servers with connections to Redis of their own. */
class Pair implements AsyncDisposable {
  readonly all: BusServer[] = [];
  readonly #connections: Redis[] = [];

  static async open({ address }: RedisServer): Promise<Pair> {
    const pair = new Pair();
    const prefix = `${crypto.randomUUID()}:`;
    for (const number of [1, 2]) {
      const redis = await connectRedis({ url: address, timeoutMs: 500, pingMs: 200 });
      pair.#connections.push(redis);
      const server = new BusServer(redis, {
        number,
        clock: systemClock,
        all: pair.all,
        prefix,
      });
      await server.bus.start();
    }
    return pair;
  }

  get one(): BusServer {
    return this.all[0];
  }

  get other(): BusServer {
    return this.all[1];
  }

  /** Ends the connections of a server, as its death does. */
  kill(index: number): Promise<void> {
    return this.#connections[index].close();
  }

  /** Waits until both are connected. */
  async areBack(): Promise<void> {
    await until(() => this.#connections.every(({ isUp }) => isUp), "both servers were back");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.all.map((server) => server.stop()));
    await Promise.all(this.#connections.map((redis) => redis.close()));
  }
}

/** Whether a request ends before the time for answers, as it can on a machine that is not busy. */
async function isSoon({ everywhere }: BusServer): Promise<boolean> {
  const began = performance.now();
  await everywhere.connections();
  return performance.now() - began < 300;
}

describe("servers over Redis", () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.stop());

  it("claim each other's sockets, answer and carry out commands", async () => {
    await using pair = await Pair.open(redis);
    const { one, other } = pair;
    const { id } = other.connect();
    assert.equal(await one.everywhere.claimSocket(id, { userId: "ann" }), "claimed");
    other.join("ann");
    const { members, isComplete } = await one.everywhere.members(room, new Set(["ann"]));
    assert.deepEqual([members[0].connections, isComplete], [1, true]);
    await until(() => isSoon(one), "no answer was waited for in vain");
    one.everywhere.closeUser("ann");
    await until(() => other.open === 0);
  });

  it("leave no socket open that is signed for while its user is closed, 20 times", async () => {
    await using pair = await Pair.open(redis);
    const { one, other } = pair;
    for (let run = 0; run < 20; run++) {
      const { id } = other.connect();
      let isDisabled = false;
      /** A request that signs, with a second look at the user as the routes have it. */
      const sign = async () => {
        const claim = await one.everywhere.claimSocket(id, { userId: "ann" });
        return claim === "claimed" && !isDisabled;
      };
      const disable = async () => {
        for (let settle = 0; settle < run; settle++) await Promise.resolve();
        isDisabled = true;
        (run % 2 === 0 ? one : other).everywhere.closeUser("ann");
      };
      const [isSigned] = await Promise.all([sign(), disable()]);
      await other.everywhere.connections();
      await one.everywhere.connections();
      if (isSigned) await until(() => !other.app.connections.get(id), `run ${run}: it was closed`);
    }
  });

  it("find at once that a server has died, and claim none of its sockets", async () => {
    await using pair = await Pair.open(redis);
    const { id } = pair.other.connect();
    await pair.kill(1);
    const gone = async () =>
      await pair.one.everywhere.claimSocket(id, { userId: "ann" }) === "unreachable";
    await until(gone, "Redis had noticed the death");
    assert.equal((await pair.one.everywhere.connections()).isComplete, false);
    await until(() => isSoon(pair.one), "no answer was waited for in vain");
    pair.all.splice(1, 1);
    assert.equal((await pair.one.everywhere.connections()).isComplete, true);
  });

  it("answer in time with what they know while Redis is frozen, and carry out commands late", async () => {
    await using pair = await Pair.open(redis);
    const { one, other } = pair;
    const { id } = other.join("ann");
    redis.freeze();
    try {
      assert.equal(await one.everywhere.claimSocket(id, { userId: "ann" }), "unreachable");
      one.everywhere.closeUser("ann");
      assert.deepEqual(await one.everywhere.connections(), { connections: 0, isComplete: false });
      await until(() => !one.link.isUp && !other.link.isUp, "both had noticed");
      assert.equal(other.open, 1);
    } finally {
      redis.thaw();
    }
    await pair.areBack();
    await until(() => other.open === 0, "the order had arrived");
    assert.deepEqual(await one.everywhere.connections(), { connections: 0, isComplete: true });
  });

  it("carry out what was commanded while Redis was down, when it is back without its data", async () => {
    await using pair = await Pair.open(redis);
    const { one, other } = pair;
    other.join("ann");
    await redis.kill();
    await until(() => !one.link.isUp && !other.link.isUp, "both had noticed");
    one.everywhere.closeUser("ann");
    await redis.restart({ empty: true });
    await until(() => other.open === 0, "the order had arrived");
  });
});
