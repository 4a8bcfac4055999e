import { strict as assert } from "node:assert";
import { it } from "@std/testing/bdd";
import { sql } from "kysely";
import { type ActivityFilter, entriesOf } from "@/server/activity/activity_log.ts";
import { onlineKey } from "@/shared/counted.ts";
import type { Database } from "@/server/database/database.ts";
import { describeOnEachDatabase } from "../../fixtures/databases.ts";

/** Ada is rare among the guests of one channel, and alone in another, whose other kind is rare in the first. */
async function fill({ queries, engine }: Database, entries = 20_000): Promise<void> {
  const numbers = engine === "sqlite"
    ? sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${
      sql.lit(entries)
    })`
    : sql`with n(i) as (select generate_series(1, ${sql.lit(entries)}))`;
  await sql`
    insert into "attendance" ("channel", "at", "userId", "kind", "change")
    ${numbers}
    select case when i % 2 = 0 then 'presence-orders' else ${sql.lit(onlineKey)} end, i,
      case when i % 2 = 0 or i % 999 = 0 then 'ada' else 'guest-' || (i % 5000) end,
      case when i % 4 = 0 then 'foreign' when i % 2 = 0 or i % 999 = 0 then 'user' else 'guest' end,
      'joined'
    from n
  `.execute(queries);
  await sql`analyze`.execute(queries);
}

async function planOf({ queries, engine }: Database, filter: ActivityFilter): Promise<string> {
  const query = entriesOf(queries, filter).limit(51);
  const rows = engine === "sqlite"
    ? await query.explain(undefined as never, sql`query plan`)
    : await query.explain();
  return JSON.stringify(rows);
}

describeOnEachDatabase("a page of the activity log", (store) => {
  const filters: [string, string, ActivityFilter][] = [
    ["a person in a channel", "userId", { channel: onlineKey, userId: "ada" }],
    ["a rare kind in a channel", "kind", { channel: onlineKey, kind: "user" }],
    ["a missing kind in a channel", "kind", { channel: onlineKey, kind: "foreign" }],
  ];
  for (const [name, column, filter] of filters) {
    it(`finds the entries of ${name} by an index of both`, async () => {
      const database = await store.open();
      await fill(database);
      const plan = await planOf(database, filter);
      assert.ok(plan.includes(`attendance_channel_${column}`), plan);
      assert.doesNotMatch(plan, /SCAN attendance|Seq Scan/);
    });
  }
});
