/**
 * Who joined and left the counted channels, and when: what the ticker, a person's page, the activity page and
 * its CSV read.
 *
 * `activity_recorder.ts` gathers joins and leaves for a quarter of a second and stores them as a batch, then
 * passes them on with names. This file is the table: it adds, filters, pages and exports entries, and knows
 * who has joined and not left. `activity_rows.ts` has the form of a row, `activity_query.ts` reads what a
 * page asks for, and `activity.ts` gives entries the names that people have now.
 *
 * The promises: entries are in the order in which things happened, and a batch is stored whole or not at all.
 * With several servers, the leader stores each entry of the log of all servers once, by its id, and only in
 * its term: a server that was paused while another one took over stores nothing more. A user who was online
 * when a server was killed is recorded as left, at the last time at which it is known to have run.
 *
 * The trade-off: nothing waits for this table. While the database fails, changes wait in memory up to a
 * limit, beyond which the oldest are lost; with several servers they are in Redis' log as well. Names of
 * accounts are not stored but looked up, so that a new name shows everywhere; users of the operator's own
 * apps keep the name that they had. Old entries are deleted a few at a time, as the embedded database works
 * in the event loop.
 *
 * @module
 */
import { type Kysely, type RawBuilder, sql } from "kysely";
import { z } from "zod";
import type { Database } from "../database/database.ts";
import type { Tables } from "../database/schema.ts";
import { type LeaveReason, leaveReasons } from "@/realtime/events/server_events.ts";
import {
  type Cursor,
  isAfter,
  type Page,
  pageLength,
  pageOf,
  readCursor,
} from "../database/cursor.ts";
import {
  addEntries,
  isOfOwnApp,
  lastEntries,
  searchNameOf,
  storedUserId,
} from "./activity_rows.ts";

/** Whom the log knows: users with an account here, guests, and users of other applications. */
export const visitorKinds = ["user", "guest", "foreign"] as const;

/** One of {@link visitorKinds}. */
export type VisitorKind = typeof visitorKinds[number];

/** A user joined or left a counted channel, at a time in ms since 1970. */
export type ActivityEntry =
  & {
    /** The key of the channel. */
    channel: string;
    at: number;
    userId: string;
    kind: VisitorKind;
    /** The name that the user's own app gave at the time; null for accounts and guests. */
    name: string | null;
  }
  & ({ change: "joined" } | { change: "left"; reason: LeaveReason });

/** An entry as it is written. */
export type NewEntry = ActivityEntry & {
  /** The entry of the log of all servers of which it is made, once. */
  logId?: string;
};

/** A user who has joined and not left. */
export interface OpenVisit {
  userId: string;
  /** In ms since 1970. */
  since: number;
  /** As in an {@link ActivityEntry}. */
  name: string | null;
}

/** Selects the entries that match all given fields. Times are in ms since 1970. */
export interface ActivityFilter {
  /** Of the channel with this key. */
  channel?: string;
  /** Of the channels with these keys, of which there are few: each costs as much as one. */
  channels?: readonly string[];
  /** Of this user of the own app, or of any of these users. */
  userId?: string | readonly string[];
  /** Of guests whose ids begin with this text. */
  guestIdStart?: string;
  /** Beside these, of users of other apps with this id, or with a name that begins with it. */
  elsewhere?: string;
  kind?: VisitorKind;
  /** At this time or later. */
  since?: number;
  /** Before this time. */
  until?: number;
}

const visit = {
  channel: z.string(),
  at: z.number(),
  userId: z.string(),
  kind: z.enum(visitorKinds),
  name: z.string().nullable(),
};
const place = { number: z.number() };
const rowSchema = z.discriminatedUnion("change", [
  z.object({ ...place, change: z.literal("joined"), ...visit }),
  // A server of a later release may have stored a reason that this one does not know.
  z.object({
    ...place,
    change: z.literal("left"),
    ...visit,
    reason: z.enum(leaveReasons).catch("removed"),
  }),
]);

const openVisit = z.object({
  userId: z.string(),
  since: z.number(),
  name: z.string().nullable(),
});

/** The most entries of which old ones are forgotten: about 2 GB. */
export const mostEntries = 10_000_000;

/**
 * Entries that one statement deletes. The embedded database works in the event loop, at up to 30 µs for each
 * entry with its indexes.
 */
const forgottenAtOnce = 200;

/** Entries that an export reads at a time. */
const exportPage = 1_000;

/**
 * Who joined and left, and when. Its tables keep the names of their first migration: `attendance` holds
 * the entries, `attending` the users who have joined and not left.
 */
export class ActivityLog {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Adds entries, all or none, as the only server. They must be in the order in which they happened.
   *
   * @throws {Error} when the database fails.
   */
  async write(entries: readonly ActivityEntry[]): Promise<void> {
    const { queries } = this.#database;
    await queries.transaction().execute((transaction) => addEntries(transaction, entries));
  }

  /** Who has joined a channel and not left. */
  async open(channel: string): Promise<OpenVisit[]> {
    const rows = await this.#database.queries.selectFrom("attending")
      .select(["userId", "since", "name"]).where("channel", "=", channel).execute();
    return rows.map((row) => openVisit.parse(row));
  }

  /**
   * A page of the log, newest first.
   *
   * @param before the `next` of the page before; for any other text the page begins with the newest.
   * @param limit entries of the page, at most 1,000.
   */
  async read(
    { before, limit, channels, ...filter }: ActivityFilter & { before?: string; limit: number },
  ): Promise<Page<ActivityEntry>> {
    const length = pageLength(limit);
    const { channel } = filter;
    const asked = channels?.filter((key) => key === (channel ?? key)) ?? [channel];
    const found: z.infer<typeof rowSchema>[] = [];
    // By one index each: of several channels at once, a page would read the entries of all others, too.
    for (const channel of asked) {
      const one = { ...filter, channel, before: readCursor(before) };
      const rows = await entriesOf(this.#database.queries, one).limit(length + 1).execute();
      found.push(...rows.map((row) => rowSchema.parse(row)));
    }
    found.sort((one, other) => other.at - one.at || other.number - one.number);
    return pageOf(
      found.slice(0, length + 1),
      length,
      ({ number: _, ...entry }) => entry,
    );
  }

  /**
   * The ids of users of the own app to whom it gave a name that begins with a text, at most `limit`.
   *
   * @param channels the keys of the only channels that are looked at; all without them.
   */
  readonly idsNamed = async (
    text: string,
    limit: number,
    channels?: readonly string[],
  ): Promise<string[]> => {
    const start = searchNameOf(text);
    if (start === "" || channels?.length === 0) return [];
    let query = this.#database.queries.selectFrom("attendance").select("userId").distinct()
      .where(isNamed(start)).where(isOfOwnApp);
    if (channels) query = query.where("channel", "in", channels);
    const rows = await query.limit(limit).execute();
    return rows.map(({ userId }) => userId);
  };

  /** See {@link lastEntries}. */
  lastSeen(channel: string, userIds: readonly string[]): Promise<Map<string, number>> {
    return lastEntries(this.#database.queries, channel, userIds);
  }

  /** All entries, newest first, a page at a time. Entries that are added meanwhile are left out. */
  async *each(filter: ActivityFilter = {}): AsyncGenerator<ActivityEntry[]> {
    let before: string | undefined;
    do {
      const { entries, next } = await this.read({ ...filter, before, limit: exportPage });
      if (entries.length > 0) yield entries;
      before = next ?? undefined;
    } while (before !== undefined);
  }

  /**
   * Adds a leave for each user who has joined and not left: for the start of a server, since the one
   * before may have been killed. No leave is earlier than its join.
   *
   * @param at the last time at which the server is known to have run.
   * @returns how many leaves were added.
   */
  async closeOpen(at: number, reason: LeaveReason): Promise<number> {
    return await this.#database.exclusively(async (transaction) => {
      await transaction.insertInto("attendance")
        .columns(["channel", "at", "userId", "kind", "name", "searchName", "change", "reason"])
        .expression(
          transaction.selectFrom("attending").select(({ eb, ref, val }) => [
            "channel",
            eb.case().when("since", ">", at).then(ref("since")).else(at).end().as("at"),
            "userId",
            "kind",
            "name",
            "searchName",
            val("left").as("change"),
            val(reason).as("reason"),
          ]),
        )
        .execute();
      const { numDeletedRows } = await transaction.deleteFrom("attending").executeTakeFirst();
      return Number(numDeletedRows);
    });
  }

  /**
   * Deletes some of the entries that are older than a time in ms since 1970, and of the oldest of too many:
   * guests can come and go as often as they like. One call takes some milliseconds.
   *
   * @param most how many stay. Each needs about 200 bytes.
   * @returns whether none is left to delete.
   */
  async forgetSome(olderThan: number, most = mostEntries): Promise<boolean> {
    const { queries } = this.#database;
    const old = queries.selectFrom("attendance").select("number").where("at", "<", olderThan)
      .orderBy("at").orderBy("number").limit(forgottenAtOnce);
    const { numDeletedRows: aged } = await queries.deleteFrom("attendance")
      .where("number", "in", old).executeTakeFirst();
    if (aged > 0) return false;
    const newest = queries.selectFrom("attendance").select(({ eb, fn }) =>
      eb(fn.max("number"), "-", most).as("number")
    );
    const surplus = queries.selectFrom("attendance").select("number")
      .where("number", "<=", newest).orderBy("number").limit(forgottenAtOnce);
    const { numDeletedRows: many } = await queries.deleteFrom("attendance")
      .where("number", "in", surplus).executeTakeFirst();
    return many === 0n;
  }
}

/**
 * The query for the entries that a filter selects, newest first. An index has them in this order for each
 * combination of a channel with one person or one kind, so that a page costs the same however long the log is.
 *
 * @param before where the page before ended.
 */
export function entriesOf(
  queries: Kysely<Tables>,
  { before, channel, kind, since, until, ...people }: ActivityFilter & { before?: Cursor | null },
) {
  let query = queries.selectFrom("attendance").selectAll();
  if (channel !== undefined) query = query.where("channel", "=", channel);
  const ofPeople = peopleOf(people);
  if (ofPeople) query = query.where(ofPeople);
  if (kind !== undefined) query = query.where("kind", "=", kind);
  if (since !== undefined) query = query.where("at", ">=", since);
  if (until !== undefined) query = query.where("at", "<", until);
  if (before) query = query.where(isAfter(before));
  return query.orderBy("at", "desc").orderBy("number", "desc");
}

/** Matches the entries of the people whom a filter selects; null when it selects all. */
function peopleOf(
  { userId, guestIdStart, elsewhere }: ActivityFilter,
): RawBuilder<boolean> | null {
  const conditions: RawBuilder<boolean>[] = [];
  if (userId !== undefined) {
    const ids = sql.join([userId].flat().map((id) => storedUserId(id)));
    conditions.push(sql<boolean>`("userId" in (${ids}) and ${isOfOwnApp})`);
  }
  if (guestIdStart !== undefined) {
    conditions.push(
      sql<boolean>`(kind = 'guest' and ${startsWith(guestIdStart)} and ${isOfOwnApp})`,
    );
  }
  if (elsewhere !== undefined) {
    const start = searchNameOf(elsewhere);
    const isPerson = sql`"userId" = ${storedUserId(elsewhere)}`;
    const hasName = start === "" ? isPerson : sql`(${isPerson} or ${isNamed(start)})`;
    conditions.push(sql<boolean>`(${hasName} and not ${isOfOwnApp})`);
  }
  return conditions.length > 0 ? sql<boolean>`(${sql.join(conditions, sql` or `)})` : null;
}

/** Matches rows whose `searchName` begins with a text. */
function isNamed(start: string): RawBuilder<boolean> {
  return sql<boolean>`("searchName" >= ${start} and "searchName" < ${`${start}\u{10FFFF}`})`;
}

/** Matches rows whose `userId` begins with a text. */
function startsWith(text: string): RawBuilder<boolean> {
  return sql<boolean>`substr("userId", 1, ${text.length}) = ${text}`;
}
