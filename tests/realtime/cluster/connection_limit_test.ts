import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { Cluster } from "@/realtime/cluster/cluster.ts";
import { systemClock } from "@/realtime/timing/clock.ts";
import { type RedisServer, startRedis } from "../../fixtures/redis.ts";
import { app, type Client, Harness, until } from "../harness.ts";

/** A server that admits some connections together with others. */
class Server implements AsyncDisposable {
  constructor(readonly harness: Harness, readonly cluster: Cluster) {}

  static async start(url: string, prefix: string, maxConnections: number): Promise<Server> {
    const cluster = await Cluster.open({
      url,
      prefix,
      clock: systemClock,
      leaseMs: 60_000,
      heartbeatMs: 100,
      log() {},
    });
    const { broker, bus: { others }, number: serverNumber } = cluster;
    const harness = new Harness({ broker, others, serverNumber, rules: { maxConnections } });
    cluster.bus.serve(harness.realtime);
    return new Server(harness, cluster);
  }

  /** How many connections Redis knows over all servers. */
  async known(): Promise<number> {
    const [{ subscribers }] = await this.cluster.state.sizes([`${app.id}:#connections`]);
    return subscribers;
  }

  get open(): number {
    return this.harness.app.connections.size;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.harness[Symbol.asyncDispose]();
    await this.cluster.close();
  }
}

describe("An app's limit of connections over two servers", () => {
  let redis: RedisServer;
  let prefixes = 0;
  beforeAll(async () => void (redis = await startRedis()));
  afterAll(() => redis.stop());
  const start = async (maxConnections: number) => {
    const prefix = `limit${++prefixes}:`;
    return [
      await Server.start(redis.address, prefix, maxConnections),
      await Server.start(redis.address, prefix, maxConnections),
    ];
  };

  it("closes a further connection with 4004, and admits another when one has closed", async () => {
    const [first, second] = await start(2);
    await using _first = first;
    await using _second = second;
    const [ann, bob] = [await first.harness.connect(), await second.harness.connect()];
    assert.equal((await second.harness.open().closed).code, 4004);
    assert.equal((await first.harness.open().closed).code, 4004);
    assert.equal(first.harness.realtime.refusals().connectionsOfApp, 1);
    for (const client of [ann, bob]) await client.settled();
    ann.close();
    await until(async () => await second.known() === 1);
    await (await second.harness.connect()).settled();
    await until(async () => await first.known() === 2);
  });

  it("keeps exactly as many connections that are opened at the same time", async () => {
    const [first, second] = await start(5);
    await using _first = first;
    await using _second = second;
    const clients: Client[] = [];
    for (let number = 0; number < 8; number++) {
      clients.push(first.harness.open(), second.harness.open());
    }
    const closed = new Set<Client>();
    for (const client of clients) void client.closed.then(() => closed.add(client));
    await until(() => closed.size === 11);
    await until(async () => await first.known() === 5);
    assert.equal(first.open + second.open, 5);
    for (const client of clients) if (!closed.has(client)) await client.settled();
  });

  it("does not count connections of a server that does not answer, whose clients come to the other", async () => {
    const [first, second] = await start(2);
    await using _second = second;
    await first.harness.connect();
    await first.harness.connect();
    await until(async () => await second.known() === 2);
    await first.cluster.close();
    const [ann, bob] = [await second.harness.connect(), await second.harness.connect()];
    await until(async () => await second.known() === 4);
    for (const client of [ann, bob]) await client.settled();
    assert.equal(second.open, 2);
    assert.equal((await second.harness.open().closed).code, 4004);
    await first.harness[Symbol.asyncDispose]();
  });

  it("is each server's while Redis is away, and of both when it is back and empty", async () => {
    const [first, second] = await start(2);
    await using _first = first;
    await using _second = second;
    await first.harness.connect();
    await redis.kill();
    await until(() => !first.cluster.node.isUp && !second.cluster.node.isUp);
    await second.harness.connect();
    await (await second.harness.connect()).settled();
    assert.equal((await second.harness.open().closed).code, 4004);
    await redis.restart({ empty: true });
    await until(async () => await first.known().catch(() => 0) === 3);
    assert.equal((await first.harness.open().closed).code, 4004);
    assert.equal(first.open + second.open, 3);
  });
});
