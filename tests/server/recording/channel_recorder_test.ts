import assert from "node:assert/strict";
import { it } from "@std/testing/bdd";
import { ChannelPresence } from "@/server/presence/channel_presence.ts";
import { countedTargets } from "@/server/presence/counted_target.ts";
import { OnlineRecorder } from "@/server/recording/online_recorder.ts";
import { Heartbeat, lastAlive, storeHeartbeat } from "@/server/recording/heartbeat.ts";
import { describeOnDatabase, type TestDatabase } from "../../fixtures/databases.ts";
import { InspectedServer, own, shop } from "../channels/inspected_server.ts";
import { until } from "../../fixtures/eventually.ts";
import { ManualClock } from "../../realtime/manual_clock.ts";
import type { RecoveryWatch } from "@/server/presence/recovery_watch.ts";
import { partOf } from "../../fixtures/doubles.ts";

const named = [{ channel: "presence-orders" }, { appId: shop.id, channel: "presence-orders" }];

/** A server whose three counted channels are recorded. */
async function simulate(store: TestDatabase) {
  const database = await store.open();
  const server = new InspectedServer();
  const channels = countedTargets(named, own.id).map((target) => ({
    ...target,
    presence: new ChannelPresence(server.realtime, target),
    recovery: partOf<RecoveryWatch>({
      whenOver(callback) {
        callback();
        return () => {};
      },
    }),
  }));
  const recorder = new OnlineRecorder({
    database,
    realtime: server.realtime,
    channels,
    clock: server.clock,
    isCountedHere: true,
    activityDays: 0,
    accountsOf: () => Promise.resolve([]),
    onStored: () => {},
    log: ({ message }) => assert.fail(message),
  });
  /** The joins and leaves, oldest first. */
  const entries = async (channel?: string) =>
    (await recorder.activity.read({ channel, limit: 99 })).entries.toReversed().map((entry) => [
      entry.channel,
      entry.userId,
      entry.change === "left" ? entry.reason : entry.change,
    ]);
  const most = async (channel: string) => {
    const { history, unsaved } = recorder.historyOf(channel);
    const { points } = await history.read(
      "hour",
      server.clock.date(),
      unsaved.call(
        recorder.historyOf(channel),
      ),
    );
    return points.at(-1)?.measured?.mostUsers;
  };
  return { server, channels, recorder, entries, most };
}

describeOnDatabase("the recorder of several counted channels", (store) => {
  it("has a history and a log for each, and none of other channels", async () => {
    const { server, recorder, entries, most } = await simulate(store);
    await recorder.begin();
    server.join(own.id, "presence-chart", "1");
    server.join(own.id, "presence-orders", "1");
    const two = server.join(own.id, "presence-orders", "2");
    server.join(shop.id, "presence-orders", "1");
    server.join(shop.id, "presence-chart", "1");
    server.leave(two);
    server.clock.advance(1_000);
    assert.deepEqual(
      [
        await most("presence-chart"),
        await most("presence-orders"),
        await most("shop/presence-orders"),
      ],
      [1, 2, 1],
    );
    await recorder.stop();
    assert.deepEqual(await entries("presence-chart"), [["presence-chart", "1", "joined"]]);
    assert.deepEqual(await entries("presence-orders"), [
      ["presence-orders", "1", "joined"],
      ["presence-orders", "2", "joined"],
      ["presence-orders", "2", "closed"],
    ]);
    assert.equal((await entries()).length, 5);
    assert.throws(() => recorder.historyOf("presence-other"), /presence-other is not counted/);
  });

  it("has users who are online in two channels leave both when the server was killed", async () => {
    const killed = await simulate(store);
    await killed.recorder.begin();
    for (const channel of ["presence-chart", "presence-orders"]) {
      killed.server.join(own.id, channel, "1");
    }
    await killed.recorder.stop();
    const next = await simulate(store);
    await next.recorder.begin();
    await next.recorder.stop();
    assert.deepEqual((await next.entries()).slice(2).toSorted(), [
      ["presence-chart", "1", "server_restart"],
      ["presence-orders", "1", "server_restart"],
    ]);
  });

  it("has the members of an app leave when the app is removed", async () => {
    const { server, channels, recorder, entries } = await simulate(store);
    await recorder.begin();
    server.join(shop.id, "presence-orders", "1");
    server.leave(server.join(shop.id, "presence-orders", "2"));
    server.realtime.replaceApps([own]);
    for (const { presence } of channels) presence.appsChanged();
    await recorder.stop();
    assert.deepEqual(await entries(), [
      ["shop/presence-orders", "1", "joined"],
      ["shop/presence-orders", "2", "joined"],
      ["shop/presence-orders", "2", "closed"],
      ["shop/presence-orders", "1", "removed"],
    ]);
  });
});

describeOnDatabase("the heartbeat", (store) => {
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
