import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import type { Activity } from "@/shared/online.ts";
import { ManualClock } from "../../manual_clock.ts";
import { BusServer, MemoryTopics, room, socketOf } from "./bus_server.ts";
import { asConnection } from "../../doubles.ts";

/** A tick of the event loop, in which what is read is read. */
const settle = () => new Promise<void>((resolve) => setTimeout(resolve));

async function two() {
  const [topics, clock, all] = [new MemoryTopics(), new ManualClock(), [] as BusServer[]];
  const connections = [topics.connect(), topics.connect()];
  const [one, other] = connections.map((redis, index) =>
    new BusServer(redis, { number: index + 1, clock, all })
  );
  for (const { bus } of all) await bus.start();
  return { clock, connections, one, other };
}

describe("a change of what servers keep in memory", () => {
  it("has the other servers read it again, and each does after it was partitioned", async () => {
    const { connections: [redis], one, other } = await two();
    const read: string[] = [];
    for (const { changes, name } of [one, other]) {
      for (const what of ["alerts", "settings"] as const) {
        changes.onChanged(what, () => void read.push(`${name} ${what}`));
      }
    }
    one.changes.changed("alerts");
    one.changes.changed("settings");
    assert.deepEqual(read.splice(0), ["2.1 alerts", "2.1 settings"]);
    redis.isUp = false;
    assert.deepEqual(read, []);
    redis.isUp = true;
    assert.deepEqual(read, ["1.1 alerts"], "settings are read by request only");
    await one.stop();
    await other.stop();
  });

  it("is read by a server that was about to start when all is registered there", async () => {
    const { one, other } = await two();
    const read: string[] = [];
    one.changes.changed("apps");
    for (const what of ["apps", "embeds", "settings"] as const) {
      other.changes.onChanged(what, () => void read.push(what));
    }
    assert.deepEqual(read, []);
    other.changes.readAll();
    assert.deepEqual(read, ["apps", "embeds"]);
    await one.stop();
    await other.stop();
  });

  it("is read by the others when the server that made it is back, if that was partitioned", async () => {
    const { connections: [redis], one, other } = await two();
    const read: string[] = [];
    for (const { changes, name } of [one, other]) {
      changes.onChanged("apps", () => void read.push(name));
      changes.onAccountChanged((id) => void read.push(`${name} ${id}`));
    }
    redis.isUp = false;
    one.changes.changed("apps");
    one.changes.changed("account", "ada");
    await settle();
    assert.deepEqual(read, []);
    redis.isUp = true;
    await settle();
    assert.deepEqual(read.toSorted(), ["1.1", "2.1", "2.1 ada"]);
    await one.stop();
    await other.stop();
  });

  it("is waited for until the others have read it, as the next page can come from any of them", async () => {
    const { one, other } = await two();
    const reading = Promise.withResolvers<void>();
    other.changes.onChanged("apps", () => reading.promise);
    let isRead = false;
    const changed = one.changes.changed("apps").then(() => isRead = true);
    await settle();
    assert.equal(isRead, false, "the other still reads");
    reading.resolve();
    await changed;
    await one.stop();
    await other.stop();
  });

  it("is not waited for longer than a response may take, nor without others that can be reached", async () => {
    const { clock, connections: [redis], one, other } = await two();
    other.changes.onChanged("apps", () => new Promise(() => {}));
    const changed = one.changes.changed("apps");
    await settle();
    clock.advance(300);
    await changed;
    redis.isUp = false;
    await one.changes.changed("apps");
    await one.stop();
    await other.stop();
  });

  it("is read once more for all changes that come while it is read", async () => {
    const { one, other } = await two();
    const readings: (() => void)[] = [];
    other.changes.onChanged("apps", () => new Promise((resolve) => void readings.push(resolve)));
    for (let change = 0; change < 3; change++) one.changes.changed("apps");
    assert.equal(readings.length, 1);
    readings[0]();
    await settle();
    assert.equal(readings.length, 2);
    readings[1]();
    await settle();
    assert.equal(readings.length, 2);
  });

  it("is read again some seconds after that failed, until the server stops", async () => {
    const { clock, one, other } = await two();
    let readings = 0;
    other.changes.onChanged("apps", () => {
      readings++;
      return Promise.reject(new Error("of the test"));
    });
    one.changes.changed("apps");
    await settle();
    clock.advance(4_999);
    assert.equal(readings, 1);
    clock.advance(1);
    await settle();
    assert.equal(readings, 2);
    assert.deepEqual(other.logged.map(({ what }) => what), ["apps", "apps"]);
    await other.stop();
    assert.equal(clock.timers, 0);
  });

  it("of an account has its id, and a thing that a later release shares is ignored", async () => {
    const { one, other } = await two();
    const ids: string[] = [];
    other.changes.onAccountChanged((id) => void ids.push(id));
    one.changes.changed("account", "ada");
    one.changes.changed("colors" as "alerts", "blue");
    assert.deepEqual(ids, ["ada"]);
  });
});

const joined = (at: number): Activity => (
  { at, id: `user-${at}`, kind: "user", name: "Ada", change: "joined" }
);
const left = (at: number): Activity => (
  { at, id: "guest-1", kind: "foreign", name: "Ben", change: "left", reason: "server_lost" }
);

describe("what the leader adds to the activity log", () => {
  it("reaches the other servers in messages of many, with the number of entries that they lack", async () => {
    const [topics, clock, all] = [new MemoryTopics(), new ManualClock(), [] as BusServer[]];
    const [one, other] = [1, 2].map((number) =>
      new BusServer(topics.connect(), { number, clock, all })
    );
    for (const { bus } of all) await bus.start();
    const received: unknown[] = [];
    for (const { name, servers } of all) {
      servers.activity.onStored((stored, channel) => void received.push([name, channel, stored]));
    }
    const pass = async (milliseconds: number) => {
      clock.advance(milliseconds);
      await settle();
    };
    one.servers.activity.stored(joined(1), "online");
    one.servers.activity.stored(left(2), "online");
    one.servers.activity.stored(joined(3), "shop");
    await pass(249);
    assert.deepEqual(received, []);
    await pass(1);
    const earlier = { joined: 0, left: 0 };
    assert.deepEqual(received.splice(0), [
      ["2.1", "online", { entries: [joined(1), left(2)], earlier }],
      ["2.1", "shop", { entries: [joined(3)], earlier }],
    ]);
    for (let at = 0; at < 60; at++) {
      one.servers.activity.stored((at < 7 ? left : joined)(at), "online");
    }
    await pass(250);
    const entries = Array.from({ length: 50 }, (_, index) => joined(10 + index));
    assert.deepEqual(received.splice(0), [
      ["2.1", "online", { entries, earlier: { joined: 3, left: 7 } }],
    ]);
    one.servers.activity.stored(joined(1), "online");
    await one.stop();
    await other.stop();
    await pass(1_000);
    assert.deepEqual([received, clock.timers], [[], 0]);
  });
});

async function twoServers() {
  const [topics, clock, all] = [new MemoryTopics(), new ManualClock(), [] as BusServer[]];
  const servers = [1, 2].map((number) =>
    new BusServer(topics.connect(), { number, clock, all })
  ) as [BusServer, BusServer];
  for (const { bus } of servers) await bus.start();
  return { topics, clock, servers };
}

describe("claiming a socket of another server", () => {
  it("makes the user its owner there, so that it is closed with the user's others", async () => {
    const { servers: [one, other] } = await twoServers();
    const { id } = other.connect();
    const ann = { userId: "ann", sessionId: "s" };
    assert.equal(await one.everywhere.claimSocket(id, ann), "claimed");
    assert.equal(await one.everywhere.claimSocket(id, { userId: "ann" }), "claimed");
    assert.equal(await one.everywhere.claimSocket(id, { userId: "bob" }), "foreign");
    one.everywhere.closeUser("ann");
    assert.equal(other.open, 0);
  });

  it("is of no use where the server does not know it, and then claimed as on one server", async () => {
    const { servers: [one] } = await twoServers();
    assert.equal(await one.everywhere.claimSocket(socketOf(2, 99), { userId: "ann" }), "claimed");
    assert.equal(await one.everywhere.claimSocket(socketOf(1, 99), { userId: "ann" }), "claimed");
    assert.equal(await one.everywhere.claimSocket("9.99", { userId: "ann" }), "claimed");
  });

  it("waits for a server that is busy for seconds", async () => {
    const { servers: [one, other], clock } = await twoServers();
    const { id } = other.connect();
    const { link } = other;
    const publish = link.publish.bind(link);
    const isIdle = Promise.withResolvers<void>();
    Object.assign(link, {
      async publish(...message: Parameters<typeof publish>) {
        await isIdle.promise;
        return await publish(...message);
      },
    });
    const claim = one.everywhere.claimSocket(id, { userId: "ann" });
    await new Promise<void>((resolve) => setTimeout(resolve));
    clock.advance(4_000);
    isIdle.resolve();
    assert.equal(await claim, "claimed");
  });

  it("fails at once for a server that is gone, and after 5 s for one that does not answer", async () => {
    const { servers: [one, other], clock } = await twoServers();
    assert.equal(
      await one.everywhere.claimSocket(socketOf(3, 1), { userId: "ann" }),
      "unreachable",
    );
    Object.assign(other.link, { publish: () => new Promise(() => {}) });
    const claim = one.everywhere.claimSocket(socketOf(2, 1), { userId: "ann" });
    await new Promise<void>((resolve) => setTimeout(resolve));
    clock.advance(5_000);
    assert.equal(await claim, "unreachable");
  });

  it("fails while Redis cannot be reached, and a socket of this server is claimed", async () => {
    const { servers: [one] } = await twoServers();
    const { id } = one.connect();
    Object.assign(one.link, { isUp: false });
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
    const { servers: [one, other], clock } = await twoServers();
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
    const { servers: [one, other] } = await twoServers();
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
    const { servers: [one, other] } = await twoServers();
    one.join("ann");
    other.join("ann");
    await other.bus.stop();
    const { members, isComplete } = await one.everywhere.members(room, new Set(["ann"]));
    assert.deepEqual([members[0].connections, isComplete], [1, false]);
  });

  it("has the pages of another server's quiet members connect again", async () => {
    const { servers: [one, other] } = await twoServers();
    const full = other.join("ann");
    const quiet = other.connect();
    const member = { id: "bob", info: "{}", options: { quiet: true } };
    other.app.hub.subscribe(asConnection(quiet), room, member);
    for (const { id } of [full, quiet]) other.app.connections.claim(id, { userId: id });
    one.everywhere.reconnectPages(room, { isQuiet: true });
    assert.deepEqual([...other.app.connections.all().map(({ id }) => id)], [full.id]);
  });
});
