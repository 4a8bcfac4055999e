import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { Cluster } from "@/realtime/cluster/cluster.ts";
import { systemClock } from "@/realtime/timing/clock.ts";
import { signUser } from "@/realtime/protocol/signature.ts";
import { AppStatuses } from "@/server/apps/app_statuses.ts";
import type { Core } from "@/server/core.ts";
import { hereBroadcaster } from "@/server/presence/channels.ts";
import { Inspector } from "@/server/channels/inspector.ts";
import { inspectorChannel } from "@/server/presence/channels.ts";
import { departures } from "@/realtime/events/server_events.ts";
import { type RedisServer, sharedRedis, startRedis } from "../../fixtures/redis.ts";
import { app, type Client, Harness, until } from "../harness.ts";
import { ApiHarness, posted, written } from "../api/harness.ts";
import { asConnection, FakeConnection } from "../doubles.ts";
import { partOf } from "../../fixtures/doubles.ts";

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
      const { users: described } = await server.get("channels/presence-room/users", {
        with_user_info: "1",
      });
      assert.deepEqual(
        new Set(described as unknown[]),
        new Set([
          { id: "ann", user_info: { id: "ann" } },
          { id: "bob", user_info: { id: "bob" } },
        ]),
      );
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
    await until(() => !one.cluster.link.isUp);
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

const room = "presence-room";
const target = { appId: app.id, channel: room };
const pagesChannel = inspectorChannel(target);

/** Two servers that share their users, each with what an admin's pages ask. */
class TwoServers {
  readonly #stack = new AsyncDisposableStack();
  readonly harnesses: Harness[] = [];
  readonly inspectors: Inspector[] = [];

  static async start(): Promise<TwoServers> {
    const servers = new TwoServers();
    const redis = await sharedRedis();
    servers.#stack.defer(redis.stop);
    const prefix = `${crypto.randomUUID()}:`;
    for (let number = 0; number < 2; number++) await servers.#add(redis.address, prefix);
    return servers;
  }

  async #add(url: string, prefix: string): Promise<void> {
    const cluster = await Cluster.open({ url, prefix, clock: systemClock, log() {} });
    this.#stack.defer(() => cluster.close());
    const { broker, bus: { others }, number: serverNumber } = cluster;
    const harness = this.#stack.use(new Harness({ broker, others, serverNumber }));
    cluster.bus.serve(harness.realtime);
    const { app: ownApp, realtime } = harness;
    const broadcastHere = hereBroadcaster(() => ownApp);
    const inspector = new Inspector(partOf({ realtime, ownApp, broadcastHere }), () => {});
    this.#stack.defer(() => inspector.stop());
    this.harnesses.push(harness);
    this.inspectors.push(inspector);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync();
  }
}

describe("what an admin's page shows of several servers", () => {
  it("has the events, joins and leaves of clients of another server, and ends with the page", async () => {
    await using servers = await TwoServers.start();
    const [here, there] = servers.harnesses;
    const [inspector] = servers.inspectors;
    const page = asConnection(new FakeConnection("1.1", "", here.app));
    here.app.opened(page);
    here.app.hub.subscribe(page, pagesChannel);
    await until(() => here.app.isOccupied(pagesChannel));
    await there.member("eve", room);
    const opened = inspector.open(target);
    assert.ok(typeof opened === "object" && opened.isOpen);
    await until(() => here.app.presence.of(room).userIds.includes("eve"));
    const names = () => {
      const now = inspector.open(target);
      return typeof now === "object" ? now.lines.map(({ from, name }) => `${from} ${name}`) : [];
    };
    const ann = await there.member("ann", room);
    await until(() => names().includes("rollcall pusher_internal:member_added"));
    there.realtime.appApi(app.id)!.publish({
      channel: room,
      name: "paid",
      data: "{}",
      from: "api",
    });
    there.app.publish(room, "note", {});
    await until(() => names().includes("api paid") && names().includes("rollcall note"));
    ann.close();
    await until(() => names().at(-1) === "rollcall pusher_internal:member_removed");
    assert.deepEqual(names(), [
      "rollcall pusher_internal:member_added",
      "api paid",
      "rollcall note",
      "rollcall pusher_internal:member_removed",
    ]);
    here.app.released(page, departures.closed);
    await until(() => inspector.size === 0, "the inspection ended with its last page");
    await until(() => here.realtime.stats().channels === 0, "the room is not followed any more");
  });

  it("names the user who joined an app last, whichever server that was", async () => {
    await using servers = await TwoServers.start();
    const [here] = servers.harnesses;
    const core: Core = partOf({
      realtime: here.realtime,
      served: partOf({ own: { ...app, id: "own" } }),
      ownApp: partOf({ isOccupied: () => false }),
      accounts: partOf({ findAll: () => Promise.resolve([]) }),
    });
    const statuses = new AppStatuses(core, partOf({ hasCome: false }));
    await here.member("ann", room);
    await until(async () => (await statuses.of(app.id)).joined?.id === "ann");
    statuses.stop();
  });
});
