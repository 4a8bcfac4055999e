import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { Cluster } from "@/realtime/cluster/cluster.ts";
import type { AppConfig } from "@/realtime/server.ts";
import { signChannel } from "@/realtime/protocol/signature.ts";
import { systemClock } from "@/realtime/timing/clock.ts";
import { Link } from "../../chaos/installation/link.ts";
import { redisOf, type RedisServer, startRedis } from "../../fixtures/redis.ts";
import { app, type Client, Harness, until } from "../harness.ts";

const room = "presence-room";

/** The app that comes and goes. */
const other: AppConfig = { id: "2", key: "key", secret: "secret", maxConnections: 10 };

/** The same app, whose clients have to come back with another key. */
const renewed: AppConfig = { ...other, key: "renewed" };

/** A server on the shared Redis. */
class Server implements AsyncDisposable {
  constructor(readonly harness: Harness, readonly cluster: Cluster) {}

  static async start(url: string, prefix: string, presenceGraceMs = 0): Promise<Server> {
    const cluster = await Cluster.open({
      // No lease ends in these tests: what a server registered, it has to take back itself.
      url,
      prefix,
      clock: systemClock,
      leaseMs: 600_000,
      heartbeatMs: 100,
      log() {},
    });
    const { broker } = cluster;
    return new Server(new Harness({ broker, apps: [app, other], presenceGraceMs }), cluster);
  }

  /** A client of the app that has joined the room. */
  async member(userId: string, by: AppConfig = other): Promise<Client> {
    const client = await this.joining(userId, by);
    await client.next("pusher_internal:subscription_succeeded");
    return client;
  }

  /** A client of the app that has asked to join the room. */
  async joining(userId: string, by: AppConfig): Promise<Client> {
    const client = await this.harness.connect(by.key);
    const data = JSON.stringify({ user_id: userId });
    client.subscribe(room, signChannel(by, client.socketId, room, data), data);
    return client;
  }

  /** Subscribers over all servers, as Redis knows. */
  async subscribers(channel: string): Promise<number> {
    const [{ subscribers }] = await this.cluster.state.sizes([`${other.id}:${channel}`]);
    return subscribers;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.harness[Symbol.asyncDispose]();
    await this.cluster.close();
  }
}

/** The members of the room that a client is told of until a condition holds, such as `added ann`. */
async function changesUntil(client: Client, isOver: (changes: string[]) => boolean) {
  const changes: string[] = [];
  await until(async () => {
    for (const { event, data } of await client.settled()) {
      const [, change] = /member_(\w+)$/.exec(event) ?? [];
      if (change) changes.push(`${change} ${data.user_id}`);
    }
    return isOver(changes);
  });
  return changes;
}

describe("An app that a server replaces or serves no more, while others do", () => {
  let redis: RedisServer;
  let prefixes = 0;
  beforeAll(async () => void (redis = await startRedis()));
  afterAll(() => redis.stop());

  /** Two servers, the first of which reaches Redis by a link. @param graceMs the leave grace there */
  async function start(graceMs = 0) {
    const prefix = `apps${++prefixes}:`;
    const link = await Link.to(() => redis.port);
    const first = await Server.start(`redis://127.0.0.1:${link.port}`, prefix, graceMs);
    const second = await Server.start(redis.address, prefix);
    const isAway = () => first.cluster.node.staleSince !== undefined;
    return {
      first,
      second,
      link,
      async cut() {
        link.isRefusing = true;
        link.cut();
        await until(isAway);
      },
      async mend() {
        link.isRefusing = false;
        await until(() => !isAway());
      },
      async [Symbol.asyncDispose]() {
        await first[Symbol.asyncDispose]();
        await second[Symbol.asyncDispose]();
        await link[Symbol.asyncDispose]();
      },
    };
  }

  it("has none of its users, subscribers and connections there once Redis is back", async () => {
    await using servers = await start(600_000);
    const { first, second } = servers;
    const bob = await second.member("bob");
    const [ann, cid] = [await first.member("ann"), await first.member("cid")];
    cid.close();
    await until(() => first.harness.realtime.stats().leaving === 1);
    ann.subscribe("news");
    await ann.next("pusher_internal:subscription_succeeded");
    await until(async () => await second.subscribers("news") === 1);
    await until(async () => await second.subscribers("#connections") === 2);
    await changesUntil(bob, ({ length }) => length === 2);
    await servers.cut();
    first.harness.realtime.replaceApps([app]);
    await ann.closed;
    await servers.mend();
    const changes = await changesUntil(bob, ({ length }) => length === 2);
    assert.deepEqual(changes.toSorted(), ["removed ann", "removed cid"]);
    await until(async () => await second.subscribers("news") === 0);
    await until(async () => await second.subscribers(room) === 1);
    await until(async () => await second.subscribers("#connections") === 1);
    assert.deepEqual(await second.harness.realtime.app("2")!.queries.channels(), [room]);
  });

  it("keeps users who came back while Redis was away, and no others", async () => {
    await using servers = await start();
    const { first, second } = servers;
    const bob = await second.member("bob");
    for (const userId of ["ann", "cid", "dan"]) await first.member(userId);
    await changesUntil(bob, ({ length }) => length === 3);
    await servers.cut();
    first.harness.realtime.replaceApps([app]);
    first.harness.realtime.replaceApps([app, other]);
    const ann = await first.joining("ann", other);
    first.harness.realtime.replaceApps([app, renewed]);
    await ann.closed;
    const again = await first.joining("ann", renewed);
    const eve = await first.joining("eve", renewed);
    await servers.mend();
    await again.next("pusher_internal:subscription_succeeded");
    await eve.next("pusher_internal:subscription_succeeded");
    const changes = await changesUntil(bob, ({ length }) => length >= 3);
    assert.deepEqual(changes.toSorted(), ["added eve", "removed cid", "removed dan"]);
    const { presence } = second.harness.realtime.app("2")!;
    assert.deepEqual(presence.of(room).userIds.toSorted(), ["ann", "bob", "eve"]);
    await until(async () => await second.subscribers("#connections") === 3);
  });

  it("keeps a user who joins the next one before Redis has answered the join to the previous one", async () => {
    await using servers = await start();
    const { first, second, link } = servers;
    const bob = await second.member("bob");
    await first.member("cid");
    await changesUntil(bob, ({ length }) => length === 1);
    link.isHeld = true;
    await (await first.joining("ann", other)).settled();
    first.harness.realtime.replaceApps([app, renewed]);
    const again = await first.joining("ann", renewed);
    await again.settled();
    link.isHeld = false;
    await again.next("pusher_internal:subscription_succeeded");
    // What was sent before has been carried out.
    await redisOf(first.cluster).command(["PING"]);
    assert.equal(await second.subscribers("#connections"), 2);
    const eve = await first.member("eve", renewed);
    await changesUntil(bob, (changes) => changes.includes("removed cid"));
    eve.close();
    const changes = await changesUntil(bob, (changes) => changes.includes("removed eve"));
    assert.ok(!changes.includes("removed ann"), "ann, who is connected, was removed");
    const { presence } = second.harness.realtime.app("2")!;
    assert.deepEqual(presence.of(room).userIds.toSorted(), ["ann", "bob"]);
  });
});
