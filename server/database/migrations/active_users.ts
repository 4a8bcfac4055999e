import type { Kysely } from "kysely";
import type { Tables } from "../schema.ts";

/** Gives the history the number of active users; null where it is not known, as in all that is stored. */
export async function addActiveUsers(queries: Kysely<Tables>): Promise<void> {
  await queries.schema.alterTable("onlineInterval").addColumn("mostActive", "integer").execute();
}

/**
 * Gives the history the guests among the most users, as they were at that moment; null where they are not known, as in
 * all that is stored.
 */
export async function addGuests(queries: Kysely<Tables>): Promise<void> {
  await queries.schema.alterTable("onlineInterval").addColumn("guestsAtMost", "integer").execute();
}

/** Whether an embed gives the number of active users, which none did. */
export async function addEmbedActivity(queries: Kysely<Tables>): Promise<void> {
  await queries.schema.alterTable("embed")
    .addColumn("activity", "text", (column) => column.notNull().defaultTo("none")).execute();
}

/** Whether the page of a wallboard link says how many users are active, which its address alone did. */
export async function addWallboardActivity(queries: Kysely<Tables>): Promise<void> {
  await queries.schema.alterTable("wallboardLink")
    .addColumn("activity", "text", (column) => column.notNull().defaultTo("none")).execute();
}
