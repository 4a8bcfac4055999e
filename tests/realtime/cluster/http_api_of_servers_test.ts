import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { Cluster } from "@/realtime/cluster/cluster.ts";
import { signUser } from "@/realtime/protocol/signature.ts";
import { systemClock } from "@/realtime/timing/clock.ts";
import { type RedisServer, startRedis } from "../../fixtures/redis.ts";
import { ApiHarness, posted, written } from "../api/harness.ts";
import { app, until } from "../harness.ts";

/** A server with the HTTP API, beside another one. */
class ApiServer implements AsyncDisposable {
  constructor(readonly harness: ApiHarness, readonly cluster: Cluster) {}

  static async start(url: string, prefix: string): Promise<ApiServer> {
    const cluster = await Cluster.open({
      url,
      prefix,
      clock: systemClock,
      leaseMs: 2_000,
      heartbeatMs: 100,
      log() {},
    });
    const { broker, bus: { others }, number: serverNumber } = cluster;
    const rules = { subscriptionCount: true };
    const harness = new ApiHarness({ broker, others, serverNumber, rules });
    cluster.bus.serve(harness.realtime);
    return new ApiServer(harness, cluster);
  }

  get(path: string, query = {}) {
    return this.harness.send(written({ path: `/apps/1/${path}`, query }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.harness[Symbol.asyncDispose]();
    await this.cluster.close();
  }
}

describe("The HTTP API of two servers", () => {
  let redis: RedisServer;
  let prefixes = 0;
  beforeAll(async () => void (redis = await startRedis()));
  afterAll(() => redis.stop());
  const start = async () => {
    const prefix = `api${++prefixes}:`;
    return [
      await ApiServer.start(redis.address, prefix),
      await ApiServer.start(redis.address, prefix),
    ];
  };

  it("counts the users and connections of both, and lists the channels of both", async () => {
    const [one, other] = await start();
    await using _one = one;
    await using _other = other;
    await one.harness.member("ann");
    for (const user of ["ann", "bob"]) await other.harness.member(user);
    const client = await other.harness.connect();
    client.subscribe("news");
    await client.next("pusher_internal:subscription_succeeded");
    const counts = "user_count,subscription_count";
    for (const server of [one, other]) {
      const users = async () =>
        ((await server.get("channels/presence-room/users")).users as { id: string }[])
          .map(({ id }) => id).sort();
      await until(async () => (await users()).join() === "ann,bob");
      // A server states its number of subscribers at most once a second.
      await until(async () => {
        const { subscription_count: count } = await server.get("channels/presence-room", {
          info: counts,
        });
        return count === 3;
      }, "three connections are counted");
      const { user_count: found } = await server.get("channels/presence-room", { info: counts });
      assert.equal(found, 2);
      await until(async () => {
        const { channels } = await server.get("channels");
        return Object.keys(channels as object).sort().join() === "news,presence-room";
      }, "both channels are listed");
      assert.equal((await server.get("channels/news")).occupied, true);
      assert.equal((await server.get("channels/other")).occupied, false);
    }
  });

  it("returns the last event of a cache channel that was published at the other", async () => {
    const [one, other] = await start();
    await using _one = one;
    await using _other = other;
    const event = { name: "e", channel: "cache-news", data: '"x"' };
    assert.equal((await one.harness.send(posted("/apps/1/events", event))).status, 200);
    const { cache } = await other.get("channels/cache-news", { info: "cache" });
    assert.deepEqual(cache, { data: '"x"', ttl: 1_800 });
  });

  it("delivers events in their order to clients of the other server", async () => {
    const [one, other] = await start();
    await using _one = one;
    await using _other = other;
    const client = await other.harness.connect();
    client.subscribe("news");
    await client.next("pusher_internal:subscription_succeeded");
    const batch = Array.from({ length: 10 }, (_, index) => (
      { name: `e${index}`, channel: "news", data: "1" }
    ));
    assert.equal((await one.harness.send(posted("/apps/1/batch_events", { batch }))).status, 200);
    for (const { name } of batch) await client.next(name);
  });

  it("terminates the connections of a user to the other server", async () => {
    const [one, other] = await start();
    await using _one = one;
    await using _other = other;
    const client = await other.harness.connect();
    const userData = JSON.stringify({ id: "ann" });
    const auth = signUser(app, client.socketId, userData);
    client.send("pusher:signin", { auth, user_data: userData });
    await client.next("pusher:signin_success");
    const member = await other.harness.member("ann");
    const call = written({ method: "POST", path: "/apps/1/users/ann/terminate_connections" });
    assert.equal((await one.harness.send(call)).status, 200);
    for (const { closed } of [client, member]) assert.equal((await closed).code, 4009);
  });

  it("answers 503 while Redis cannot be reached, and calls without other servers' data go on", async () => {
    const [one, other] = await start();
    await using _one = one;
    await using _other = other;
    await redis.kill();
    await until(() => !one.cluster.redis.isUp);
    const event = { name: "e", channel: "news", data: '"x"' };
    for (
      const call of [
        posted("/apps/1/events", event),
        posted("/apps/1/batch_events", { batch: [event] }),
        written({ path: "/apps/1/channels" }),
        written({ path: "/apps/1/channels/news" }),
        written({ path: "/apps/1/channels/presence-room/users" }),
      ]
    ) {
      const { status, reason } = await one.harness.send(call);
      assert.deepEqual([status, reason], [503, "unavailable"], call.path);
    }
    const terminate = written({ method: "POST", path: "/apps/1/users/ann/terminate_connections" });
    assert.equal((await one.harness.send(terminate)).status, 200);
    await redis.restart({ empty: true });
    await until(async () =>
      (await one.harness.send(posted("/apps/1/events", event))).status === 200
    );
  });
});
