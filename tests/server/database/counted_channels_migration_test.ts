import assert from "node:assert/strict";
import { it } from "@std/testing/bdd";
import type { Database } from "@/server/database/database.ts";
import {
  addActivityNames,
  addCountedChannels,
  createAttendanceTables,
  createHistoryTable,
} from "@/server/database/migrations/0_1_0.ts";
import { ActivityLog } from "@/server/activity/activity_log.ts";
import { History } from "@/server/history/stored_history.ts";
import { describeOnEachDatabase } from "../../fixtures/databases.ts";

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
