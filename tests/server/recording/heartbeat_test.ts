import assert from "node:assert/strict";
import { it } from "@std/testing/bdd";
import { Heartbeat, lastAlive, storeHeartbeat } from "@/server/recording/heartbeat.ts";
import { describeOnEachDatabase } from "../../fixtures/databases.ts";
import { until } from "../../fixtures/eventually.ts";
import { ManualClock } from "../../realtime/manual_clock.ts";

describeOnEachDatabase("the heartbeat", (store) => {
  it("stores when the server last ran, at most ten seconds before its end", async () => {
    const database = await store.open();
    assert.equal(await lastAlive(database), null);
    await storeHeartbeat(database, 1_700_000_000_000);
    assert.equal(await lastAlive(await store.open()), 1_700_000_000_000);
    const clock = new ManualClock();
    clock.advance(1_700_000_060_000);
    const failures: unknown[] = [];
    const heartbeat = new Heartbeat(database, { failed: (error) => failures.push(error), clock });
    await until(() => clock.timers > 0, "the next heartbeat was set");
    assert.equal(await lastAlive(database), 1_700_000_060_000);
    clock.advance(10_000);
    await until(() => clock.timers > 0, "the next heartbeat was set");
    assert.equal(await lastAlive(database), 1_700_000_070_000);
    clock.advance(5_000);
    await heartbeat.stop();
    assert.equal(await lastAlive(database), 1_700_000_075_000);
    assert.deepEqual([failures, clock.timers], [[], 0]);
  });

  it("continues after the database failed", async () => {
    const database = await store.open();
    const clock = new ManualClock();
    const failures: unknown[] = [];
    await store.query(`alter table "setting" rename to "elsewhere"`);
    const heartbeat = new Heartbeat(database, { failed: (error) => failures.push(error), clock });
    await until(() => clock.timers > 0, "the next heartbeat was set");
    assert.equal(failures.length, 1);
    assert.match(String(failures[0]), /setting/);
    await store.query(`alter table "elsewhere" rename to "setting"`);
    clock.advance(10_000);
    await heartbeat.stop();
    assert.equal(await lastAlive(database), 10_000);
  });
});
