import assert from "node:assert/strict";
import { it } from "@std/testing/bdd";
import { FirstAppUser } from "@/server/apps/first_app_user.ts";
import { onlineChannel } from "@/server/presence/channels.ts";
import type { Database } from "@/server/database/database.ts";
import { describeOnEachDatabase } from "../../fixtures/databases.ts";
import { until } from "../../fixtures/eventually.ts";
import { ManualClock } from "../../realtime/manual_clock.ts";
import { Harness } from "../../realtime/harness.ts";

/** What a running server, whose account `admin` is Rollcall's own, knows of the first user of an app. */
async function openedBy(harness: Harness, database: Pick<Database, "queries">) {
  const clock = new ManualClock();
  const done: string[] = [];
  const lookedUp: string[] = [];
  const firstAppUser = await FirstAppUser.open({
    database,
    realtime: harness.realtime,
    clock,
    accountsOf(ids) {
      lookedUp.push(...ids);
      const known = ids.filter((id) => id === "admin");
      return Promise.resolve(known.map((id) => ({ id, name: "Ada", role: "admin" as const })));
    },
    stored: () => done.push("stored"),
    came: () => Promise.resolve(void done.push("came")),
    log: ({ message }) => done.push(message),
  });
  return { clock, done, firstAppUser, lookedUp };
}

describeOnEachDatabase("the first user of an app", (store) => {
  it("has come once one has joined a presence channel, on every server and after a restart", async () => {
    const database = await store.open();
    await using harness = new Harness();
    await using otherHarness = new Harness();
    const { clock, done, firstAppUser } = await openedBy(harness, database);
    const other = await openedBy(otherHarness, await store.open());
    assert.equal(firstAppUser.hasCome, false);
    await harness.member("7", "presence-room");
    await until(() => done.includes("stored"));
    assert.equal(firstAppUser.hasCome, true);
    await until(() => clock.timers > 0);
    clock.advance(2_000);
    await harness.member("8", onlineChannel);
    assert.deepEqual(done, ["stored", "came"], "once, the other servers first");
    assert.equal(other.firstAppUser.hasCome, false);
    await other.firstAppUser.reload();
    assert.equal(other.firstAppUser.hasCome, true);
    assert.deepEqual(other.done, [], "only the server that stored it goes on");
    assert.equal((await openedBy(otherHarness, database)).firstAppUser.hasCome, true);
  });

  it("is no account, guest, check of the public address or simulated user", async () => {
    await using harness = new Harness();
    const { done, firstAppUser, lookedUp } = await openedBy(harness, await store.open());
    await harness.member(`guest-${"3f2a".repeat(8)}`, onlineChannel);
    await harness.member("rollcall-check.Xk3", "presence-rollcall-check.Xk3");
    await harness.member("rollcall-crowd.7", onlineChannel);
    await harness.member("admin", onlineChannel);
    await until(() => lookedUp.length > 0);
    await harness.member("admin", "presence-room");
    await until(() => lookedUp.length > 1);
    assert.deepEqual(lookedUp, ["admin", "admin"]);
    assert.deepEqual([firstAppUser.hasCome, done], [false, []]);
    firstAppUser.stop();
    await harness.member("7", "presence-room");
    assert.equal(lookedUp.length, 2, "nothing is looked up after the stop");
  });

  it("is stored later when the database fails", async () => {
    const database = await store.open();
    let isDown = false;
    const failing = {
      get queries() {
        if (isDown) throw new Error("The database is down");
        return database.queries;
      },
    };
    await using harness = new Harness();
    const { clock, done, firstAppUser } = await openedBy(harness, failing);
    isDown = true;
    await harness.member("7", "presence-room");
    await until(() => done.length > 0);
    assert.deepEqual(done, ["Could not store that an app has had a user"]);
    assert.equal(firstAppUser.hasCome, false, "servers would differ in whom they count");
    isDown = false;
    clock.advance(5_000);
    await until(() => firstAppUser.hasCome);
    assert.equal((await openedBy(harness, database)).firstAppUser.hasCome, true);
  });
});
