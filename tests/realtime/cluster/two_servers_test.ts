import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { Cluster } from "@/realtime/cluster/cluster.ts";
import { systemClock } from "@/realtime/timing/clock.ts";
import { type RedisServer, startRedis } from "../../fixtures/redis.ts";
import { type Client, Harness, type HarnessOptions, until } from "../harness.ts";

const room = "presence-room";
const leaseMs = 1_000;
const heartbeatMs = 100;

/** A server on the shared Redis. */
class Server implements AsyncDisposable {
  constructor(readonly harness: Harness, readonly cluster: Cluster) {}

  static async start(
    address: string,
    prefix: string,
    options: HarnessOptions = {},
    leaseOfServerMs = leaseMs,
  ): Promise<Server> {
    const cluster = await Cluster.open({
      url: address,
      prefix,
      clock: systemClock,
      leaseMs: leaseOfServerMs,
      heartbeatMs,
      log() {},
    });
    return new Server(new Harness({ broker: cluster.broker, ...options }), cluster);
  }

  get users(): string[] {
    return this.harness.app.presence.of(room).userIds.toSorted();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.harness[Symbol.asyncDispose]();
    await this.cluster.close();
  }
}

/** The names of what a client is sent next, with the user if there is one. */
async function sent(client: Client): Promise<string[]> {
  const frames = await client.settled();
  return frames.map(({ event, data }) =>
    `${event.replace(/.*:/, "")} ${data.user_id ?? ""}`.trimEnd()
  );
}

describe("Two servers on one Redis", () => {
  let redis: RedisServer;
  let prefixes = 0;
  beforeAll(async () => void (redis = await startRedis()));
  afterAll(() => redis.stop());
  const start = async (options?: HarnessOptions) => {
    const prefix = `test${++prefixes}:`;
    return [
      await Server.start(redis.address, prefix, options),
      await Server.start(redis.address, prefix, options),
    ];
  };

  it("have one list: a user of both is one member until it left both", async () => {
    const [first, second] = await start();
    await using _first = first;
    await using _second = second;
    const ann = await first.harness.member("ann");
    const bob = await second.harness.connect();
    assert.deepEqual((await bob.joined("bob")).data.presence.ids.toSorted(), ["ann", "bob"]);
    assert.equal((await ann.next("pusher_internal:member_added")).data.user_id, "bob");
    const tab = await first.harness.member("bob");
    bob.close();
    await bob.closed;
    const eve = await second.harness.member("eve");
    assert.equal((await ann.next("pusher_internal:member_added")).data.user_id, "eve");
    tab.close();
    assert.equal((await ann.next("pusher_internal:member_removed")).data.user_id, "bob");
    assert.equal((await eve.next("pusher_internal:member_removed")).data.user_id, "bob");
    await until(() => second.users.join() === "ann,eve");
  });

  it("know since when each member is there, whichever it joined first", async () => {
    const [first, second] = await start();
    await using _first = first;
    await using _second = second;
    const before = Date.now();
    await first.harness.member("ann");
    const after = Date.now();
    await second.harness.member("ann");
    const known = [first, second].map(({ harness }) =>
      harness.app.hub.presence(room)?.members.get("ann")?.joinedAt ?? 0
    );
    assert.equal(known[0], known[1]);
    assert.ok(known[0] >= before && known[0] <= after);
  });

  it("know how many connections the members have to both", async () => {
    const [first, second] = await start();
    await using _first = first;
    await using _second = second;
    const knows = (users: number, connections: number) =>
      until(() =>
        [first, second].every(({ harness }) => {
          const counts = harness.app.presence.counts(room);
          return counts.users === users && counts.connections === connections;
        })
      );
    const told: number[] = [];
    await first.harness.member("ann");
    const tab = await first.harness.member("ann");
    await second.harness.member("bob");
    second.harness.app.listeners.presence.add(room, ({ connections }) => told.push(connections));
    await first.harness.member("eve");
    await knows(3, 4);
    assert.equal(told.at(-1), 4);
    tab.close();
    await knows(3, 3);
    assert.equal(told.at(-1), 3);
  });

  it("announce no one as gone when Redis has no memory for longer than a lease", async () => {
    const [first, second] = await start();
    await using _first = first;
    await using _second = second;
    await using _memory = { [Symbol.asyncDispose]: () => allow(0) };
    const allow = async (bytes: number) => {
      assert.equal(await redis.command("CONFIG", "SET", "maxmemory", String(bytes)), "OK");
    };
    const users = Array.from({ length: 30 }, (_, index) => `user-${index}`).toSorted();
    for (const user of users) await second.harness.member(user);
    const ann = await first.harness.member("ann");
    await allow(1);
    const { node } = second.cluster;
    await until(() => node.staleSince !== undefined);
    await until(() => Date.now() > node.staleSince! + 1.5 * leaseMs);
    assert.deepEqual(await sent(ann), []);
    await allow(0);
    for (const { cluster } of [first, second]) {
      await until(() => cluster.node.staleSince === undefined);
    }
    const eve = await second.harness.member("eve");
    assert.equal((await ann.next("pusher_internal:member_added")).data.user_id, "eve");
    eve.close();
    assert.equal((await ann.next("pusher_internal:member_removed")).data.user_id, "eve");
    assert.deepEqual(first.users, ["ann", ...users]);
  });

  it("deliver an event once to all subscribers but the excepted one", async () => {
    const [first, second] = await start();
    await using _first = first;
    await using _second = second;
    const [ann, bob] = [await first.harness.connect(), await second.harness.connect()];
    for (const client of [ann, bob]) {
      client.subscribe("news");
      await client.next("pusher_internal:subscription_succeeded");
    }
    assert.equal(await first.harness.app.publish("news", "one", "1", ann.socketId), true);
    assert.equal((await bob.next("one")).channel, "news");
    await second.harness.app.publish("news", "two", "2");
    assert.equal((await ann.next("two")).channel, "news");
    assert.deepEqual(await sent(ann), []);
  });

  it("refuse a member when the other has filled the channel", async () => {
    const [first, second] = await start({ rules: { presenceMaxMembers: 1 } });
    await using _first = first;
    await using _second = second;
    await first.harness.member("ann");
    const bob = await second.harness.connect();
    bob.joinAs("bob");
    assert.equal((await bob.next("pusher:subscription_error")).data.type, "LimitReached");
    assert.equal(second.harness.realtime.stats().present, 0);
  });

  it("refuse a full member when a quiet one of the other has opened a full connection", async () => {
    const [first, second] = await start({ rules: { presenceMaxFullMembers: 1 } });
    await using _first = first;
    await using _second = second;
    const [quiet, eve] = [await first.harness.connect(), await second.harness.connect()];
    quiet.joinAs("ann", room, { rollcall: { quiet: true } });
    await quiet.next("rollcall:count");
    eve.joinAs("eve", room, { rollcall: { quiet: true } });
    await eve.next("rollcall:count");
    const full = await first.harness.member("ann");
    const bob = await second.harness.connect();
    bob.joinAs("bob");
    await bob.next("pusher:subscription_error");
    full.close();
    quiet.close();
    await until(() => second.users.join() === "eve");
    await bob.joined("bob");
  });

  it("refuse a full member when the other has as many as the channel admits, until one of them leaves", async () => {
    const [first, second] = await start({ rules: { presenceMaxFullMembers: 1 } });
    await using _first = first;
    await using _second = second;
    const ann = await first.harness.member("ann");
    const bob = await second.harness.connect();
    bob.joinAs("bob");
    const { data } = await bob.next("pusher:subscription_error");
    assert.equal(data.type, "LimitReached");
    assert.match(data.error, /"quiet": true/);
    assert.deepEqual(await sent(ann), []);
    bob.joinAs("bob", room, { rollcall: { quiet: true } });
    await bob.next("rollcall:count");
    const eve = await second.harness.connect();
    eve.joinAs("eve");
    await eve.next("pusher:subscription_error");
    const tab = await second.harness.member("ann");
    ann.close();
    eve.joinAs("eve");
    await eve.next("pusher:subscription_error");
    tab.close();
    await until(() => second.users.join() === "bob");
    await eve.joined("eve");
    assert.deepEqual([first.users, second.users], [[], ["bob", "eve"]]);
  });

  it("show the users of a server that died as gone, after its lease", async () => {
    const [first, second] = await start();
    await using _second = second;
    const bob = await second.harness.member("bob");
    await first.harness.member("ann");
    await bob.next("pusher_internal:member_added");
    await first.cluster.close();
    assert.equal((await bob.next("pusher_internal:member_removed")).data.user_id, "ann");
    await first.harness[Symbol.asyncDispose]();
  });

  it("show the users of a server that stopped as gone, however new the lease of the other is", async () => {
    const prefix = `test${++prefixes}:`;
    const [first, second] = [
      await Server.start(redis.address, prefix, {}, 60_000),
      await Server.start(redis.address, prefix, {}, 60_000),
    ];
    await using _second = second;
    const bob = await second.harness.member("bob");
    await first.harness.member("ann");
    await bob.next("pusher_internal:member_added");
    await first.cluster.node.exit(0);
    assert.equal((await bob.next("pusher_internal:member_removed")).data.user_id, "ann");
    await first.harness[Symbol.asyncDispose]();
    await first.cluster.close();
  });

  it("send nothing when Redis loses everything, and have the same list again", async () => {
    const [first, second] = await start();
    await using _first = first;
    await using _second = second;
    const [ann, bob] = [await first.harness.member("ann"), await second.harness.member("bob")];
    await ann.next("pusher_internal:member_added");
    await redis.flushAll();
    const state = first.cluster.state;
    await until(async () => (await state.read(`1:${room}`)).members.size === 2);
    await until(async () => (await state.read(`1:${room}`)).isSettled);
    const eve = await second.harness.member("eve");
    eve.close();
    await ann.next("pusher_internal:member_removed");
    assert.deepEqual(await sent(bob), ["member_added eve", "member_removed eve"]);
    assert.deepEqual([first.users, second.users], [["ann", "bob"], ["ann", "bob"]]);
  });

  it("keep sockets and lists while Redis is away, and exchange what happened when it is back", async () => {
    const [first, second] = await start();
    await using _first = first;
    await using _second = second;
    const [ann, bob] = [await first.harness.member("ann"), await second.harness.member("bob")];
    const cid = await second.harness.member("cid");
    for (let count = 0; count < 2; count++) await ann.next("pusher_internal:member_added");
    await bob.next("pusher_internal:member_added");
    await redis.kill();
    await until(() => first.cluster.node.staleSince !== undefined);
    cid.close();
    await cid.closed;
    const dan = await first.harness.connect();
    dan.joinAs("dan");
    await redis.restart();
    await dan.next("pusher_internal:subscription_succeeded");
    await until(() => [first, second].every(({ users }) => users.join() === "ann,bob,dan"));
    for (const client of [ann, bob]) {
      const frames: string[] = [];
      await until(async () => frames.push(...await sent(client)) >= 2);
      assert.deepEqual(frames.toSorted(), ["member_added dan", "member_removed cid"]);
    }
  });
});
