import { type Insertable, type Kysely, type RawBuilder, sql } from "kysely";
import { z } from "zod";
import type { Tables } from "../database/schema.ts";
import { storedText } from "../database/stored_setting.ts";
import { maxNameLength } from "@/realtime/protocol/member.ts";
import { folded } from "@/shared/folded.ts";
import type { ActivityEntry, NewEntry } from "./activity_log.ts";

/** The longest id that the protocol allows. */
const longestId = 128;

/** A user's id as the tables have it. */
export function storedUserId(id: string): string {
  return storedText(id, longestId);
}

/** Matches rows of users of the app of Rollcall's own pages. */
export const isOfOwnApp = sql<boolean>`(channel not like '%/%')`;

/** Matches the rows of one user. @param otherAppId of another app than that of Rollcall's own pages */
export function isOfUser(userId: string, otherAppId?: string): RawBuilder<boolean> {
  const start = `${otherAppId}/`;
  const isOfApp = otherAppId === undefined
    ? isOfOwnApp
    : sql<boolean>`(substr(channel, 1, ${sql.lit(start.length)}) = ${start})`;
  return sql<boolean>`("userId" = ${storedUserId(userId)} and ${isOfApp})`;
}

function namesOf({ name }: ActivityEntry): { name: string | null; searchName: string | null } {
  if (name === null) return { name, searchName: null };
  const stored = storedText(name, maxNameLength);
  return { name: stored, searchName: searchNameOf(stored) };
}

/** The text by which names are found: without case and accents. */
export function searchNameOf(name: string): string {
  return folded(name).trim();
}

/** Adds entries of several channels, in their order, and updates who has joined and not left. */
export async function addEntries(
  transaction: Kysely<Tables>,
  entries: readonly NewEntry[],
): Promise<void> {
  if (entries.length === 0) return;
  const rows = entries.map((entry) => ({
    channel: entry.channel,
    at: entry.at,
    userId: storedUserId(entry.userId),
    kind: entry.kind,
    change: entry.change,
    reason: entry.change === "left" ? entry.reason : null,
    ...namesOf(entry),
    ...entry.logId !== undefined && { logId: entry.logId },
  }));
  await transaction.insertInto("attendance").values(rows).execute();
  for (const [channel, ofChannel] of Map.groupBy(rows, ({ channel }) => channel)) {
    const last = new Map(ofChannel.map((row) => [row.userId, row])).values();
    await updateAttending(transaction, channel, last);
  }
}

/** Leaves out joins of users who have joined already, and leaves of users who have left. */
export async function withoutRepeated(
  transaction: Kysely<Tables>,
  entries: readonly NewEntry[],
): Promise<NewEntry[]> {
  if (entries.length === 0) return [];
  const ids = new Set(entries.map(({ userId }) => storedUserId(userId)));
  const rows = await transaction.selectFrom("attending").select(["channel", "userId"])
    .where("userId", "in", [...ids]).execute();
  const keyOf = (channel: string, userId: string) => JSON.stringify([channel, userId]);
  const present = new Set(rows.map(({ channel, userId }) => keyOf(channel, userId)));
  return entries.filter(({ change, channel, userId }) => {
    const key = keyOf(channel, storedUserId(userId));
    if (present.has(key) === (change === "joined")) return false;
    if (change === "joined") present.add(key);
    else present.delete(key);
    return true;
  });
}

/** Updates `attending` with the last change of each user of a channel. */
async function updateAttending(
  transaction: Kysely<Tables>,
  channel: string,
  last: Iterable<Omit<Insertable<Tables["attendance"]>, "number" | "reason">>,
): Promise<void> {
  const { joined = [], left = [] } = Object.groupBy(
    last,
    ({ change }) => change === "joined" ? "joined" : "left",
  );
  if (left.length > 0) {
    await transaction.deleteFrom("attending").where("channel", "=", channel)
      .where("userId", "in", left.map(({ userId }) => userId)).execute();
  }
  if (joined.length > 0) {
    await transaction.insertInto("attending")
      .values(joined.map(({ userId, kind, name, searchName, at }) => (
        { channel, userId, kind, name, searchName, since: at }
      )))
      .onConflict((conflict) =>
        conflict.columns(["channel", "userId"]).doUpdateSet(({ ref }) => ({
          kind: ref("excluded.kind"),
          name: ref("excluded.name"),
          searchName: ref("excluded.searchName"),
          since: ref("excluded.since"),
        }))
      )
      .execute();
  }
}

/** Users whose last entries one statement reads: SQLite joins 500 parts at most. */
const readAtOnce = 100;

const lastEntry = z.object({ userId: z.string(), at: z.number() });

/**
 * When each of some users of a channel last joined or left; of users without an entry, none. A user costs one
 * look at an index, however many entries there are.
 */
export async function lastEntries(
  queries: Kysely<Tables>,
  channel: string,
  userIds: readonly string[],
): Promise<Map<string, number>> {
  const ids = new Map(userIds.map((id) => [storedUserId(id), id]));
  const stored = [...ids.keys()];
  const found = new Map<string, number>();
  for (let start = 0; start < stored.length; start += readAtOnce) {
    const parts = stored.slice(start, start + readAtOnce).map((id) =>
      sql`select * from (select "userId", "at" from "attendance"
        where "channel" = ${channel} and "userId" = ${id}
        order by "at" desc, "number" desc limit 1) as "entry"`
    );
    const { rows } = await sql`${sql.join(parts, sql` union all `)}`.execute(queries);
    for (const row of rows) {
      const { at, userId } = lastEntry.parse(row);
      found.set(ids.get(userId) ?? userId, at);
    }
  }
  return found;
}
