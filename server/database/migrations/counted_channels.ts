import { type Kysely, sql } from "kysely";
import type { Engine } from "../database.ts";
import type { Tables } from "../schema.ts";
import { columnTypes } from "./tables.ts";

/** The only channel that was counted before. */
const before = "presence-chart";

/** Gives the history and the activity log a channel; what is stored is of the one channel of before. */
export async function addCountedChannels(queries: Kysely<Tables>, engine: Engine): Promise<void> {
  await rebuildHistory(queries, engine);
  await rebuildAttending(queries, engine);
  await queries.schema.alterTable("attendance")
    .addColumn("channel", "text", (column) => column.notNull().defaultTo(before)).execute();
  await queries.schema.createIndex("attendance_channel").on("attendance")
    .columns(["channel", "at", "number"]).execute();
}

/** SQLite cannot change the key of a table. */
async function rebuildHistory(queries: Kysely<Tables>, engine: Engine): Promise<void> {
  const { milliseconds } = columnTypes[engine];
  await queries.schema.alterTable("onlineInterval").renameTo("onlineIntervalBefore").execute();
  await queries.schema.createTable("onlineInterval")
    .addColumn("channel", "text", (column) => column.notNull())
    .addColumn("intervalMs", "integer", (column) => column.notNull())
    .addColumn("startsAt", milliseconds, (column) => column.notNull())
    .addColumn("mostUsers", "integer", (column) => column.notNull())
    .addColumn("mostUsersAt", milliseconds, (column) => column.notNull())
    .addColumn("fewestUsers", "integer", (column) => column.notNull())
    .addColumn("lastUsers", "integer", (column) => column.notNull())
    .addColumn("lastAt", milliseconds, (column) => column.notNull())
    .addColumn("mostConnections", "integer", (column) => column.notNull())
    .addColumn("measuredMs", "integer", (column) => column.notNull())
    // The time comes before the channel: old intervals of all channels are deleted by it.
    .addPrimaryKeyConstraint("onlineInterval_key", ["intervalMs", "startsAt", "channel"])
    .execute();
  const columns = sql.join(
    [
      ...["intervalMs", "startsAt", "mostUsers", "mostUsersAt", "fewestUsers"],
      ...["lastUsers", "lastAt", "mostConnections", "measuredMs"],
    ].map((name) => sql.ref(name)),
  );
  await move(queries, "onlineInterval", columns);
}

async function rebuildAttending(queries: Kysely<Tables>, engine: Engine): Promise<void> {
  const { milliseconds } = columnTypes[engine];
  const searchName = engine === "postgres" ? sql`text collate "C"` : sql`text`;
  await queries.schema.alterTable("attending").renameTo("attendingBefore").execute();
  await queries.schema.createTable("attending")
    .addColumn("channel", "text", (column) => column.notNull())
    .addColumn("userId", "text", (column) => column.notNull())
    .addColumn("kind", "text", (column) => column.notNull())
    .addColumn("since", milliseconds, (column) => column.notNull())
    .addColumn("name", "text")
    .addColumn("searchName", searchName)
    .addPrimaryKeyConstraint("attending_key", ["channel", "userId"])
    .execute();
  const names = ["userId", "kind", "since", "name", "searchName"].map((name) => sql.ref(name));
  await move(queries, "attending", sql.join(names));
}

async function move(
  queries: Kysely<Tables>,
  table: string,
  columns: ReturnType<typeof sql.join>,
): Promise<void> {
  const old = sql.table(`${table}Before`);
  // A constant in the text of the statement: PostgreSQL does not know the type of a parameter here.
  await sql`insert into ${sql.table(table)} ("channel", ${columns})
    select ${sql.lit(before)}, ${columns} from ${old}`.execute(queries);
  await sql`drop table ${old}`.execute(queries);
}
