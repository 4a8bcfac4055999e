import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { RememberedCommands } from "@/realtime/cluster/bus/commands.ts";
import { ManualClock } from "../../manual_clock.ts";
import { BusServer, MemoryTopics, room } from "./bus_server.ts";

/** A tick of the event loop, in which requests are asked and answered. */
const settle = () => new Promise<void>((resolve) => setTimeout(resolve));

/** Servers over topics in memory, whose connections a test can cut. */
async function serversOf(count: number) {
  const [topics, clock, all] = [new MemoryTopics(), new ManualClock(), [] as BusServer[]];
  const connections = Array.from({ length: count }, () => topics.connect());
  const servers = connections.map((redis, index) =>
    new BusServer(redis, { number: index + 1, clock, all })
  );
  for (const { bus } of servers) await bus.start();
  /** Lets some seconds pass, with the requests that are asked meanwhile. */
  const pass = async (seconds: number) => {
    for (let second = 0; second < seconds; second++) {
      clock.advance(1_000);
      await settle();
    }
  };
  const setUp = async (index: number, isUp: boolean) => {
    connections[index].isUp = isUp;
    await settle();
  };
  return { topics, clock, all, servers, pass, setUp };
}

describe("a command to close connections", () => {
  it("closes them on every server, as long as they are of the user or session", async () => {
    const { servers: [one, two] } = await serversOf(2);
    for (const server of [one, two]) for (const user of ["ann", "bob"]) server.join(user);
    one.everywhere.closeUser("ann");
    assert.deepEqual([one.open, two.open], [1, 1]);
    const fake = two.connect();
    two.app.connections.claim(fake.id, { userId: "cem", sessionId: "s" });
    one.everywhere.closeSession("other");
    assert.equal(two.open, 2);
    one.everywhere.closeSession("s", { code: 4200, reason: "Sign in again", cause: "signed_out" });
    assert.equal(two.open, 1);
    one.everywhere.reconnectUser("bob");
    assert.deepEqual([one.open, two.open], [0, 0]);
  });

  it("is kept for the time without Redis, as long as there are not too many", async () => {
    const { servers: [one], setUp } = await serversOf(2);
    await setUp(0, false);
    for (let count = 0; count < 2_100; count++) one.everywhere.closeUser(`user-${count}`);
    await settle();
    assert.deepEqual(one.servers.stats(), {
      requests: 0,
      rememberedCommands: 2_000,
      unsentCommands: 2_000,
    });
    await one.stop();
  });

  it("reaches a server that was partitioned when it is back, from any server that knows it", async () => {
    const { servers: [one, two, other], all, pass, setUp } = await serversOf(3);
    other.join("ann");
    await pass(1);
    await setUp(2, false);
    one.everywhere.closeUser("ann");
    assert.equal(other.open, 1);
    await one.stop();
    all.splice(all.indexOf(one), 1);
    await pass(30);
    await setUp(2, true);
    assert.equal(other.open, 0);
    assert.equal(two.open, 0);
    await pass(30);
    assert.equal(other.bus.stats().requests, 0);
  });

  it("reaches a server whose machine was suspended, for longer than a loss goes unnoticed", async () => {
    const { topics, all, servers: [one, two], pass } = await serversOf(2);
    const [machine, redis] = [new ManualClock(), topics.connect()];
    const suspended = new BusServer(redis, { number: 3, clock: machine, all });
    await suspended.bus.start();
    suspended.join("ann");
    machine.advance(1_000);
    const subscribed = [...redis.topics];
    redis.topics.clear();
    one.everywhere.closeUser("ann");
    await pass(60);
    machine.dateAhead += 60_000;
    for (const [topic, listener] of subscribed) redis.topics.set(topic, listener);
    redis.isUp = false;
    redis.isUp = true;
    for (let turns = 0; turns < 5; turns++) await settle();
    assert.equal(suspended.open, 0);
    for (const server of [one, two, suspended]) await server.stop();
  });

  it("that comes late spares connections that were opened after it", async () => {
    const { servers: [one, two], pass, setUp } = await serversOf(2);
    two.join("ann");
    await pass(1);
    await setUp(1, false);
    await pass(5);
    one.everywhere.closeUser("ann");
    await pass(5);
    const later = two.join("ann");
    await setUp(1, true);
    assert.deepEqual([...two.app.connections.all().map(({ id }) => id)], [later.id]);
    assert.deepEqual(two.app.presence.members(room).map(({ connections }) => connections), [1]);
  });

  it("is sent when Redis is back, if it could not be sent", async () => {
    const { servers: [one, two], pass, setUp } = await serversOf(2);
    two.join("ann");
    await pass(1);
    for (const index of [0, 1]) await setUp(index, false);
    one.everywhere.closeUser("ann");
    assert.equal(one.servers.stats().unsentCommands, 1);
    await pass(60);
    await setUp(1, true);
    assert.equal(two.open, 1);
    await setUp(0, true);
    assert.equal(two.open, 0);
    assert.equal(one.servers.stats().unsentCommands, 0);
  });

  it("is sent again a second after a call that failed on a connection that works", async () => {
    const { servers: [one, two], pass } = await serversOf(2);
    two.join("ann");
    const { publish } = one.link;
    Object.assign(one.link, { publish: () => Promise.reject(new Error("too late")) });
    one.everywhere.closeUser("ann");
    await settle();
    assert.equal(two.open, 1);
    Object.assign(one.link, { publish });
    await pass(1);
    assert.equal(two.open, 0);
  });

  it("is found out with a server that comes back later, though Redis has lost all leases", async () => {
    const { servers: [one, two], all, pass, setUp } = await serversOf(2);
    two.join("ann");
    await pass(20);
    await setUp(1, false);
    one.everywhere.closeUser("ann");
    await settle();
    await setUp(0, false);
    all.splice(all.indexOf(one), 1);
    await setUp(1, true);
    await pass(5);
    assert.equal(two.open, 1, "no other server is known");
    await setUp(0, true);
    all.push(one);
    await pass(20);
    assert.equal(two.open, 0);
  });

  it("is carried out once, however often it comes", async () => {
    const { servers: [one, two], topics, pass } = await serversOf(2);
    one.everywhere.closeUser("ann");
    const [{ topic, text }] = topics.published;
    await pass(1);
    two.join("ann");
    topics.publish(topic, text);
    assert.equal(two.open, 1);
  });

  it("asks no server any more once the server stops", async () => {
    const { servers: [one], clock, pass, setUp } = await serversOf(1);
    await setUp(0, false);
    await setUp(0, true);
    await one.stop();
    await pass(20);
    assert.equal(clock.timers, 0);
  });
});

describe("remembered orders", () => {
  const orderOf = (id: number, at: number) => ({ id: String(id), name: "a", data: {}, at });

  it("are the latest, up to their number and for a day", () => {
    const remembered = new RememberedCommands(3);
    for (let id = 1; id <= 5; id++) assert.ok(remembered.add(orderOf(id, id), id));
    assert.deepEqual(remembered.since(0).map(({ id }) => id), ["3", "4", "5"]);
    assert.deepEqual(remembered.since(5).map(({ id }) => id), ["5"]);
    assert.equal(remembered.add(orderOf(4, 4), 5), false);
    remembered.add(orderOf(6, 90_000_000), 90_000_000);
    assert.deepEqual(remembered.since(0).map(({ id }) => id), ["6"]);
  });
});
