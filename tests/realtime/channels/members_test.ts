import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { ManualClock } from "../manual_clock.ts";
import { Rig, until } from "../rig.ts";

const room = "presence-room";

/** The members, with times as seconds ago. */
function ages(rig: Rig, clock: ManualClock) {
  const age = (date: number) => (clock.date() - date) / 1_000;
  return rig.app.members(room).map(({ userId, since, connections, lastSeenAt }) => ({
    userId,
    connections,
    since: age(since),
    seen: age(lastSeenAt),
  }));
}

describe("App.members", () => {
  it("returns members with their connections, since when they are members and when they were last seen", async () => {
    const clock = new ManualClock();
    await using rig = new Rig({ clock, presenceGraceMs: 60_000, idleTimeoutSeconds: 70 });
    const [tab, phone] = [await rig.member("ann"), await rig.member("ann")];
    await rig.member("bob");
    clock.advance(50_000);
    await phone.settled();
    clock.advance(50_000);
    assert.deepEqual(ages(rig, clock), [
      { userId: "ann", connections: 2, since: 100, seen: 50 },
      { userId: "bob", connections: 1, since: 100, seen: 70 },
    ]);
    tab.close();
    phone.close();
    await until(() => rig.realtime.stats().leaving === 1);
    clock.advance(10_000);
    assert.deepEqual(ages(rig, clock)[0], { userId: "ann", connections: 0, since: 110, seen: 10 });
    await rig.member("ann");
    assert.deepEqual(ages(rig, clock)[0], { userId: "ann", connections: 1, since: 110, seen: 0 });
  });

  it("counts a user in the leave grace as one connection, so never fewer than users", async () => {
    await using rig = new Rig({ presenceGraceMs: 60_000 });
    const [tab, phone] = [await rig.member("ann"), await rig.member("ann")];
    await rig.member("bob");
    const counts = () => {
      const { users, connections } = rig.app.presence(room);
      return [users, connections];
    };
    assert.deepEqual(counts(), [2, 3]);
    tab.close();
    phone.close();
    await until(() => rig.realtime.stats().leaving === 1);
    assert.deepEqual(counts(), [2, 2]);
    await rig.member("ann");
    assert.deepEqual(counts(), [2, 2]);
  });

  it("returns none for an empty channel and for other than presence channels", async () => {
    await using rig = new Rig();
    const client = await rig.connect();
    client.subscribe("news");
    await client.settled();
    assert.deepEqual(rig.app.members("news"), []);
    assert.deepEqual(rig.app.members(room), []);
  });
});
