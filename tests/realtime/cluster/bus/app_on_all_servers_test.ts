import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { asConnection } from "../../fake_connection.ts";
import { ManualClock } from "../../manual_clock.ts";
import { BusServer, room, socketOf } from "./bus_server.ts";
import { MemoryTopics } from "./memory_redis.ts";

async function two() {
  const [topics, clock, all] = [new MemoryTopics(), new ManualClock(), [] as BusServer[]];
  const servers = [1, 2].map((number) =>
    new BusServer(topics.connect(), { number, clock, all })
  ) as [BusServer, BusServer];
  for (const { bus } of servers) await bus.start();
  return { topics, clock, servers };
}

describe("claiming a socket of another server", () => {
  it("makes the user its owner there, so that it is closed with the user's others", async () => {
    const { servers: [one, other] } = await two();
    const { id } = other.connect();
    const ann = { userId: "ann", sessionId: "s" };
    assert.equal(await one.everywhere.claimSocket(id, ann), "claimed");
    assert.equal(await one.everywhere.claimSocket(id, { userId: "ann" }), "claimed");
    assert.equal(await one.everywhere.claimSocket(id, { userId: "bob" }), "foreign");
    one.everywhere.closeUser("ann");
    assert.equal(other.open, 0);
  });

  it("is of no use where the server does not know it, and then claimed as on one server", async () => {
    const { servers: [one] } = await two();
    assert.equal(await one.everywhere.claimSocket(socketOf(2, 99), { userId: "ann" }), "claimed");
    assert.equal(await one.everywhere.claimSocket(socketOf(1, 99), { userId: "ann" }), "claimed");
    assert.equal(await one.everywhere.claimSocket("9.99", { userId: "ann" }), "claimed");
  });

  it("waits for a server that is busy for seconds", async () => {
    const { servers: [one, other], clock } = await two();
    const { id } = other.connect();
    const { redis } = other;
    const command = redis.command.bind(redis);
    const isIdle = Promise.withResolvers<void>();
    Object.assign(redis, {
      async command(words: string[]) {
        await isIdle.promise;
        return await command(words);
      },
    });
    const claim = one.everywhere.claimSocket(id, { userId: "ann" });
    await new Promise<void>((resolve) => setTimeout(resolve));
    clock.advance(4_000);
    isIdle.resolve();
    assert.equal(await claim, "claimed");
  });

  it("fails at once for a server that is gone, and after 5 s for one that does not answer", async () => {
    const { servers: [one, other], clock } = await two();
    assert.equal(
      await one.everywhere.claimSocket(socketOf(3, 1), { userId: "ann" }),
      "unreachable",
    );
    Object.assign(other.redis, { command: () => new Promise(() => {}) });
    const claim = one.everywhere.claimSocket(socketOf(2, 1), { userId: "ann" });
    await new Promise<void>((resolve) => setTimeout(resolve));
    clock.advance(5_000);
    assert.equal(await claim, "unreachable");
  });

  it("fails while Redis cannot be reached, and a socket of this server is claimed", async () => {
    const { servers: [one] } = await two();
    const { id } = one.connect();
    Object.assign(one.redis, { isUp: false });
    assert.equal(
      await one.everywhere.claimSocket(socketOf(2, 1), { userId: "ann" }),
      "unreachable",
    );
    assert.equal(await one.everywhere.claimSocket(id, { userId: "ann" }), "claimed");
    assert.equal(await one.everywhere.claimSocket(id, { userId: "bob" }), "foreign");
  });
});

describe("an app on all servers", () => {
  it("adds up the connections of a member, with the latest sign of life and the newest page first", async () => {
    const { servers: [one, other], clock } = await two();
    const report = (server: BusServer, userId: string, path: string) => {
      const fake = server.join(userId);
      fake.subscriptions.set(room, {
        userId,
        page: { path, device: "phone", since: clock.date() },
      });
    };
    report(one, "ann", "/a");
    clock.advance(1_000);
    report(other, "ann", "/b");
    other.join("bob");
    clock.advance(30_000);
    other.join("cem");
    const { members, isComplete } = await one.everywhere.members(
      room,
      new Set(["ann", "bob", "eve"]),
    );
    assert.equal(isComplete, true);
    const [ann, bob] = members;
    assert.deepEqual([members.length, ann.userId, bob.userId], [2, "ann", "bob"]);
    assert.deepEqual([ann.since, ann.connections, ann.lastSeenAt], [0, 2, 6_000]);
    assert.deepEqual(ann.pages, [
      { path: "/b", device: "phone", since: 1_000 },
      { path: "/a", device: "phone", since: 0 },
    ]);
    assert.deepEqual([bob.since, bob.connections, bob.pages], [1_000, 1, undefined]);
    assert.deepEqual(await one.everywhere.remotePages(room), [
      { paths: ["/b"], devices: ["phone"], users: 1 },
    ]);
    assert.deepEqual(await one.everywhere.connections(), { connections: 4, isComplete: true });
  });

  it("has the times of another server, whose clock differs, by its own clock", async () => {
    const [topics, all] = [new MemoryTopics(), [] as BusServer[]];
    const [clock, later] = [new ManualClock(), new ManualClock()];
    later.advance(60_000);
    const [one, other] = [clock, later].map((clock, index) =>
      new BusServer(topics.connect(), { number: index + 1, clock, all })
    );
    for (const { bus } of all) await bus.start();
    const { subscriptions } = other.join("ann");
    const since = later.date();
    subscriptions.set(room, { userId: "ann", page: { path: "/", device: "phone", since } });
    for (const each of [clock, later]) each.advance(5_000);
    const { members: [ann] } = await one.everywhere.members(room, new Set(["ann"]));
    assert.deepEqual([ann.since, ann.lastSeenAt, ann.pages?.[0].since], [0, 0, 0]);
  });

  it("asks for many members and sessions in parts", async () => {
    const { servers: [one, other] } = await two();
    const ids = Array.from({ length: 450 }, (_, index) => `user-${index}`);
    for (const id of ids) other.join(id);
    const { members } = await one.everywhere.members(room, new Set(ids));
    assert.equal(members.length, 450);
    const sessions = Array.from({ length: 2_001 }, (_, index) => `s${index}`);
    const { id } = other.connect();
    other.app.connections.claim(id, { userId: "ann", sessionId: "s2000" });
    const own = one.connect();
    one.app.connections.claim(own.id, { userId: "ann", sessionId: "s1" });
    assert.deepEqual([...await one.everywhere.sessionIds(sessions)], ["s1", "s2000"]);
  });

  it("has members of this server only, and is not complete, while another does not answer", async () => {
    const { servers: [one, other] } = await two();
    one.join("ann");
    other.join("ann");
    await other.bus.stop();
    const { members, isComplete } = await one.everywhere.members(room, new Set(["ann"]));
    assert.deepEqual([members[0].connections, isComplete], [1, false]);
  });

  it("has the pages of another server's quiet members connect again", async () => {
    const { servers: [one, other] } = await two();
    const loud = other.join("ann");
    const quiet = other.connect();
    const member = { id: "bob", info: "{}", profile: { quiet: true } };
    other.app.hub.subscribe(asConnection(quiet), room, member);
    for (const { id } of [loud, quiet]) other.app.connections.claim(id, { userId: id });
    one.everywhere.reconnectPages(room, { isQuiet: true });
    assert.deepEqual([...other.app.connections.all().map(({ id }) => id)], [loud.id]);
  });
});
