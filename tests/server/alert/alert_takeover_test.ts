import assert from "node:assert/strict";
import { it } from "@std/testing/bdd";
import type { Database } from "@/server/database/database.ts";
import { LeaderTerm } from "@/server/database/leader_term.ts";
import { type AlertSetting, readAlert } from "@/server/alert/stored_alert.ts";
import { AlertWatch } from "@/server/alert/alert_watch.ts";
import { describeOnDatabase } from "../../fixtures/databases.ts";
import { until } from "../../fixtures/eventually.ts";
import { ManualClock } from "../../realtime/manual_clock.ts";
import { partOf } from "../../fixtures/doubles.ts";

const setting: AlertSetting = { enabled: true, users: 3, direction: "up", holdSeconds: 0 };

/** One of several servers on a database; it follows the number when it is the leader. */
class TakeoverSimulation {
  readonly clock = new ManualClock();
  readonly reported: string[] = [];
  failures = 0;
  readonly term: LeaderTerm;
  readonly watch: Promise<AlertWatch>;

  constructor(database: Database) {
    this.term = new LeaderTerm(database);
    this.watch = AlertWatch.open(0, {
      database,
      clock: this.clock,
      term: this.term,
      crossed: ({ crossings: [{ phase, users }] }) => this.reported.push(`${phase} ${users}`),
      failed: () => this.failures++,
      recovery: partOf({
        whenOver: (callback) => {
          callback();
          return () => {};
        },
      }),
    });
  }

  /** Takes a number, and stores what crossed. */
  async counts(users: number): Promise<void> {
    (await this.watch).changed(users);
    this.clock.advance(100);
    await (await this.watch).reload();
  }
}

/** Two servers on a database of which the first is the leader. */
async function two(database: Database) {
  const servers = [new TakeoverSimulation(database), new TakeoverSimulation(database)];
  const [one, other] = await Promise.all(servers.map(({ watch }) => watch));
  await servers[0].term.begin(() => true);
  await one.begin();
  return { servers, one, other, stop: () => Promise.all([one.stop(), other.stop()]) };
}

describeOnDatabase("the alert of several servers", (store) => {
  it("is reported by the leader, once, and then by its successor", async () => {
    const { servers, one, other, stop } = await two(await store.open());
    await one.change(setting);
    await other.reload();
    for (const users of [3, 1]) for (const server of servers) await server.counts(users);
    assert.deepEqual(servers.map(({ reported }) => reported), [["active 3", "normal 1"], []]);
    assert.equal(other.state?.crossings.length, 2);
    await one.pause();
    for (const server of servers) await server.counts(4);
    await servers[1].term.begin(() => true);
    await other.begin();
    servers[1].clock.advance(100);
    await until(() => servers[1].reported.length === 1);
    assert.deepEqual(servers.map(({ reported }) => reported.length), [2, 1]);
    await stop();
    assert.deepEqual(servers.map(({ clock }) => clock.timers), [0, 0]);
  });

  it("follows a setting that was changed on another server", async () => {
    const { servers: [leader], one, other, stop } = await two(await store.open());
    await one.change(setting);
    await leader.counts(5);
    await other.change({ ...setting, users: 10 });
    await leader.counts(4);
    assert.deepEqual([leader.reported, one.state?.setting.users], [["active 5"], 10]);
    await leader.counts(12);
    assert.deepEqual(leader.reported, ["active 5", "active 12"]);
    await stop();
  });

  it("counts the time for which the number holds on when it is reloaded", async () => {
    const { servers: [leader], one, stop } = await two(await store.open());
    await one.change({ ...setting, holdSeconds: 10 });
    await leader.counts(3);
    leader.clock.advance(9_000);
    await one.reload();
    leader.clock.advance(1_000);
    await one.reload();
    assert.deepEqual(leader.reported, ["active 3"]);
    await stop();
  });

  it("is not reported by a server that was paused, and whose term is over", async () => {
    const database = await store.open();
    const { servers: [paused, leader], one, other, stop } = await two(database);
    await one.change(setting);
    await leader.term.begin(() => true);
    await other.begin();
    await paused.counts(3);
    assert.deepEqual([paused.reported, paused.failures], [[], 0]);
    assert.deepEqual((await readAlert(database))?.crossings, []);
    await leader.counts(3);
    assert.deepEqual(leader.reported, ["active 3"]);
    await stop();
  });

  it("has a crossing that could not be stored reported by the successor alone", async () => {
    const database = await store.open();
    const { servers, one, other, stop } = await two(database);
    await one.change(setting);
    await store.query(`alter table "alertRule" rename to "away"`);
    one.changed(3);
    servers[0].clock.advance(100);
    await until(() => servers[0].failures > 0);
    await one.pause();
    await store.query(`alter table "away" rename to "alertRule"`);
    servers[0].clock.advance(60_000);
    other.changed(3);
    await servers[1].term.begin(() => true);
    await other.begin();
    servers[1].clock.advance(100);
    await until(() => servers[1].reported.length === 1);
    await stop();
    assert.deepEqual(servers[0].reported, []);
    assert.equal((await readAlert(database))?.crossings.length, 1);
  });
});
