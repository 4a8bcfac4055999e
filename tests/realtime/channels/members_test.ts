import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { ManualClock } from "../manual_clock.ts";
import { Harness, until } from "../harness.ts";

const room = "presence-room";

/** The members, with times as seconds ago. */
function ages(harness: Harness, clock: ManualClock) {
  const age = (date: number) => (clock.date() - date) / 1_000;
  return harness.app.presence.members(room).map(({ userId, since, connections, lastSeenAt }) => ({
    userId,
    connections,
    since: age(since),
    seen: age(lastSeenAt),
  }));
}

describe("AppPresence.members", () => {
  it("returns members with their connections, since when they are members and when they were last seen", async () => {
    const clock = new ManualClock();
    await using harness = new Harness({ clock, presenceGraceMs: 60_000, idleTimeoutSeconds: 70 });
    const [tab, phone] = [await harness.member("ann"), await harness.member("ann")];
    await harness.member("bob");
    clock.advance(50_000);
    await phone.settled();
    clock.advance(50_000);
    assert.deepEqual(ages(harness, clock), [
      { userId: "ann", connections: 2, since: 100, seen: 50 },
      { userId: "bob", connections: 1, since: 100, seen: 70 },
    ]);
    tab.close();
    phone.close();
    await until(() => harness.realtime.stats().leaving === 1);
    clock.advance(10_000);
    assert.deepEqual(ages(harness, clock)[0], {
      userId: "ann",
      connections: 0,
      since: 110,
      seen: 10,
    });
    await harness.member("ann");
    assert.deepEqual(ages(harness, clock)[0], {
      userId: "ann",
      connections: 1,
      since: 110,
      seen: 0,
    });
  });

  it("counts a user in the leave grace as one connection, so never fewer than users", async () => {
    await using harness = new Harness({ presenceGraceMs: 60_000 });
    const [tab, phone] = [await harness.member("ann"), await harness.member("ann")];
    await harness.member("bob");
    const counts = () => {
      const { users, connections } = harness.app.presence.of(room);
      return [users, connections];
    };
    assert.deepEqual(counts(), [2, 3]);
    tab.close();
    phone.close();
    await until(() => harness.realtime.stats().leaving === 1);
    assert.deepEqual(counts(), [2, 2]);
    await harness.member("ann");
    assert.deepEqual(counts(), [2, 2]);
  });

  it("returns none for an empty channel and for other than presence channels", async () => {
    await using harness = new Harness();
    const client = await harness.connect();
    client.subscribe("news");
    await client.settled();
    assert.deepEqual(harness.app.presence.members("news"), []);
    assert.deepEqual(harness.app.presence.members(room), []);
  });
});

describe("AppPresence.members of some users", () => {
  it("returns the users who are members, as among all, and of AppPresence.users the same without their tabs' facts", async () => {
    const clock = new ManualClock();
    await using harness = new Harness({ clock, presenceGraceMs: 60_000, idleTimeoutSeconds: 70 });
    for (const id of ["ann", "bob", "cleo"]) await harness.member(id);
    const gone = await harness.member("dan");
    clock.advance(9_000);
    gone.close();
    await until(() => harness.realtime.stats().leaving === 1);
    clock.advance(10_000);
    const ids = new Set(["ann", "dan", "nobody"]);
    const some = harness.app.presence.members(room).filter(({ userId }) => ids.has(userId));
    assert.deepEqual(harness.app.presence.members(room, ids), some);
    assert.equal(some.length, 2);
    const seen = (userId: string) =>
      harness.app.presence.users(room, ids).find((one) => one.userId === userId)?.lastSeenAt;
    assert.deepEqual([seen("ann"), seen("dan")], [clock.date(), clock.date() - 10_000]);
    assert.equal(harness.app.presence.users(room).length, 4);
    assert.deepEqual([
      harness.app.presence.isMember(room, "ann"),
      harness.app.presence.isMember(room, "eve"),
    ], [true, false]);
    assert.deepEqual(harness.app.presence.counts(room), { users: 4, connections: 4 });
    assert.deepEqual(harness.app.presence.counts("presence-other"), { users: 0, connections: 0 });
  });

  it("looks at no connection of others", async () => {
    await using harness = new Harness();
    for (const id of ["ann", "bob", "ann"]) await harness.member(id);
    const bobs = harness.app.connections.all()
      .find(({ subscriptions }) => subscriptions.get(room)?.userId === "bob")!;
    Object.defineProperty(bobs, "lastFrameAt", {
      get: () => assert.fail("a connection of another user was looked at"),
    });
    assert.deepEqual(
      harness.app.presence.members(room, new Set(["ann"])).map(({ connections }) => connections),
      [2],
    );
  });

  it("is told who joined, opened and closed a tab, and left, with the counts of then", async () => {
    await using harness = new Harness();
    const changes: string[] = [];
    harness.app.listeners.presence.add(room, ({ userId, users, connections }) => {
      if (userId !== undefined) changes.push(`${userId} ${users} ${connections}`);
    });
    const [one] = [await harness.member("ann"), await harness.member("bob")];
    const two = await harness.member("ann");
    one.close();
    await until(() => changes.length === 4);
    two.close();
    await until(() => changes.length === 5);
    assert.deepEqual(changes, ["ann 1 1", "bob 2 2", "ann 2 3", "ann 2 2", "ann 1 1"]);
  });
});
