import assert from "node:assert/strict";
import { join } from "node:path";
import { it } from "@std/testing/bdd";
import {
  addActivityNames,
  addAlertHold,
  addCountedChannels,
  createAttendanceTables,
  createHistoryTable,
} from "@/server/database/migrations/0_1_0.ts";
import { addActiveUsers, addGuests, moveAlerts } from "@/server/database/migrations/0_2_0.ts";
import { listReceivers } from "@/server/alert/stored_receivers.ts";
import { writeSetting } from "@/server/database/stored_setting.ts";
import { readAlert } from "@/server/alert/stored_alert.ts";
import type { Database } from "@/server/database/database.ts";
import { ActivityLog } from "@/server/activity/activity_log.ts";
import { History } from "@/server/history/stored_history.ts";
import { addUser, describeOnEachEngine } from "../accounts/stores.ts";
import { describeOnEachDatabase } from "../../fixtures/databases.ts";

describeOnEachEngine("the database", (store) => {
  it("keeps its content when it is opened again, and records each migration once", async () => {
    const ada = await addUser(await store.open(), "ada");
    assert.deepEqual(await (await store.open()).list(), [ada]);
    const rows = await store.query(`select "number" from "migration" order by "number"`);
    assert.deepEqual(rows.map((row) => row.number), rows.map((_, index) => index + 1));
  });

  if (store.engine === "sqlite") {
    it("is a file that only its owner can read", async () => {
      await addUser(await store.open(), "ada");
      for await (const { name } of Deno.readDir(store.dataFolder)) {
        const { mode } = await Deno.stat(join(store.dataFolder, name));
        assert.equal(mode! & 0o777, 0o600, name);
      }
    });
  } else {
    it("cannot be opened when it is unreachable", async () => {
      const databaseUrl = "postgres://rollcall:secret@127.0.0.1:1/rollcall";
      await assert.rejects(store.open({ databaseUrl }), /ECONNREFUSED/);
    });
  }
});

const crossing = { at: 1_000, users: 12, threshold: 10, direction: "up" };
const before = {
  setting: { enabled: true, users: 10, direction: "up", webhookUrl: "https://example.org/a?b=c" },
  version: 3,
  side: "reached",
  crossings: [crossing],
};

/** Makes an alert of the settings what this version has of it. */
async function migrateAlerts({ queries }: Database): Promise<void> {
  await addAlertHold(queries);
  await moveAlerts(queries);
}

describeOnEachDatabase("an alert that was saved before it had a time to hold", (store) => {
  it("is kept, holds for 60 seconds, and is active if it was", async () => {
    const database = await store.open();
    await writeSetting(database.queries, "alert", before);
    await migrateAlerts(database);
    const [receiver, ...more] = await listReceivers(database.queries);
    const { webhookUrl: url, ...rest } = before.setting;
    assert.deepEqual([receiver.kind, receiver.settings, more], ["webhook", { url }, []]);
    assert.deepEqual(await readAlert(database), {
      setting: { ...rest, receivers: [receiver.id], holdSeconds: 60 },
      version: 3,
      phase: "active",
      crossings: [{ ...crossing, phase: "active" }],
    });
  });

  it("is normal if the number was on the other side, or the alert off", async () => {
    const database = await store.open();
    const { setting } = before;
    for (
      const change of [
        { side: "below" },
        { setting: { ...setting, direction: "down" } },
        { setting: { ...setting, enabled: false } },
      ]
    ) {
      await database.queries.deleteFrom("alertRule").execute();
      await writeSetting(database.queries, "alert", { ...before, ...change });
      await migrateAlerts(database);
      assert.equal((await readAlert(database))?.phase, "normal");
    }
  });

  it("is not made where there was none", async () => {
    const database = await store.open();
    await migrateAlerts(database);
    assert.equal(await readAlert(database), null);
  });
});

const quiet = { enabled: true, users: 10, direction: "up", holdSeconds: 60 };

describeOnEachDatabase("alerts that were saved before they had receivers", (store) => {
  const save = (database: Database, channel: string | null, change: object) =>
    writeSetting(database.queries, channel === null ? "alert" : `alert ${channel}`, {
      setting: { ...quiet, ...change },
      version: 1,
      phase: "normal",
      crossings: [],
    });

  it("tell whom they told, each URL once, and leave nothing in the settings", async () => {
    const database = await store.open();
    const webhookUrl = "https://hooks.slack.com/services/T/B/X";
    await save(database, null, { webhookUrl });
    await save(database, "presence-orders", { webhookUrl });
    await save(database, "4711/presence-support", {});
    await moveAlerts(database.queries);
    const [{ id, kind, settings }, ...more] = await listReceivers(database.queries);
    assert.deepEqual([kind, settings, more], ["slack", { url: webhookUrl }, []]);
    const told = async (channel: string) => (await readAlert(database, channel))?.setting.receivers;
    assert.deepEqual(await told("presence-chart"), [id]);
    assert.deepEqual(await told("presence-orders"), [id]);
    assert.deepEqual(await told("4711/presence-support"), []);
    const rows = await store.query(`select name from "setting" where name like 'alert%'`);
    assert.deepEqual(rows, []);
  });

  it("tell all receivers to come where there was no webhook", async () => {
    const database = await store.open();
    await save(database, null, {});
    await moveAlerts(database.queries);
    assert.deepEqual((await readAlert(database))?.setting, quiet);
  });
});

const minuteMs = 60_000;

/** Gives the database the tables of before, empty. */
async function beforeMigration({ engine, queries }: Database): Promise<void> {
  for (const table of ["onlineInterval", "attendance", "attending"]) {
    await queries.schema.dropTable(table).execute();
  }
  await createHistoryTable(queries, engine);
  await createAttendanceTables(queries, engine);
  await addActivityNames(queries, engine);
}

describeOnEachDatabase("what was recorded when one channel was counted", (store) => {
  it("belongs to presence-chart, beside which other channels have rows of their own", async () => {
    const database = await store.open();
    await beforeMigration(database);
    await store.query(
      `insert into "onlineInterval" values (${minuteMs}, 0, 7, 5, 3, 4, 60000, 9, 60000)`,
    );
    await store.query(
      `insert into "attendance" ("at", "userId", "kind", "change", "name", "searchName")
      values (1, 'ada', 'foreign', 'joined', 'Ada', 'ada')`,
    );
    await store.query(`insert into "attending" ("userId", "kind", "since", "name", "searchName")
      values ('ada', 'foreign', 1, 'Ada', 'ada')`);
    await addCountedChannels(database.queries, database.engine);
    await addActiveUsers(database.queries);
    await addGuests(database.queries);
    const [online, orders] = ["presence-chart", "presence-orders"].map((channel) =>
      new History(database, channel)
    );
    assert.deepEqual([await online.lastUsers(), await orders.lastUsers()], [4, 0]);
    const minute = { startsAt: 0, mostUsers: 2, mostUsersAt: 1, fewestUsers: 2, lastUsers: 2 };
    await orders.record({ ...minute, lastAt: 1_000, mostConnections: 2, measuredMs: 1_000 });
    assert.deepEqual([await online.lastUsers(), await orders.lastUsers()], [4, 2]);

    const log = new ActivityLog(database);
    const entry = { userId: "ada", kind: "foreign", name: "Ada" } as const;
    await log.write([{ ...entry, channel: "presence-orders", at: 2, change: "joined" }]);
    assert.equal(await log.closeOpen(3, "server_restart"), 2);
    const changes = async (channel: string) =>
      (await log.read({ channel, limit: 9 })).entries.map(({ at, change }) => [at, change]);
    for (const [channel, joinedAt] of [["presence-chart", 1], ["presence-orders", 2]] as const) {
      assert.deepEqual(await changes(channel), [[3, "left"], [joinedAt, "joined"]]);
    }
    await online.thinSome(500 * 24 * 60 * minuteMs);
    assert.deepEqual([await online.lastUsers(), await orders.lastUsers()], [0, 0]);
  });
});
