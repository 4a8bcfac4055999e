import assert from "node:assert/strict";
import fc from "fast-check";
import { it } from "@std/testing/bdd";
import { sql } from "kysely";
import { leaveReasons } from "@/realtime/events/server_events.ts";
import {
  type ActivityEntry,
  type ActivityFilter,
  ActivityLog,
  entriesOf,
  visitorKinds,
} from "@/server/activity/activity_log.ts";
import { onlineKey } from "@/shared/counted.ts";
import { folded } from "@/shared/folded.ts";
import type { Database } from "@/server/database/database.ts";
import { describeOnDatabase } from "../../fixtures/databases.ts";

const noon = Date.UTC(2023, 10, 17, 12);

function joined(userId: string, at: number): ActivityEntry {
  return { channel: onlineKey, change: "joined", at, userId, kind: "user", name: null };
}

function left(userId: string, at: number): ActivityEntry {
  return { ...joined(userId, at), change: "left", reason: "closed" };
}

async function all(log: ActivityLog, filter: ActivityFilter = {}): Promise<ActivityEntry[]> {
  return (await Array.fromAsync(log.each(filter))).flat();
}

/** Whether an entry is of someone whom a filter selects: of anyone it names. */
function isOfPeople(entry: ActivityEntry, filter: ActivityFilter): boolean {
  const { userId, guestIdStart, elsewhere } = filter;
  const { channel, kind, name } = entry;
  const isOwn = !channel.includes("/");
  const selects = [
    userId !== undefined && (() => isOwn && [userId].flat().includes(entry.userId)),
    guestIdStart !== undefined &&
    (() => isOwn && kind === "guest" && entry.userId.startsWith(guestIdStart)),
    elsewhere !== undefined && (() => {
      const isNamed = name !== null && folded(name).startsWith(folded(elsewhere));
      return !isOwn && (entry.userId === elsewhere || isNamed);
    }),
  ].filter((select) => select !== false);
  return selects.length === 0 || selects.some((select) => select());
}

describeOnDatabase("the activity log", (store) => {
  it("returns what was written, newest first, for any filter and page length", async () => {
    const database = await store.open();
    const log = new ActivityLog(database);
    const userIds = ["ada", "ben", "guest-1"];
    const visit = {
      channel: fc.constantFrom(onlineKey, "presence-orders", "4711/presence-chart"),
      at: fc.integer({ min: noon, max: noon + 5 }),
      userId: fc.constantFrom(...userIds),
      kind: fc.constantFrom(...visitorKinds),
      name: fc.constantFrom(null, "Ann Ó Brien", "an"),
    };
    const plain = { noNullPrototype: true };
    const entries: fc.Arbitrary<ActivityEntry[]> = fc.array(fc.oneof(
      fc.record({ change: fc.constant("joined" as const), ...visit }, plain),
      fc.record({
        change: fc.constant("left" as const),
        ...visit,
        reason: fc.constantFrom(...leaveReasons),
      }, plain),
    ));
    const filters = fc.record({
      channel: visit.channel,
      elsewhere: fc.constantFrom("ada", "Án"),
      userId: fc.oneof(visit.userId, fc.subarray(userIds, { minLength: 1 })),
      guestIdStart: fc.constantFrom("guest-", "a"),
      kind: visit.kind,
      since: visit.at,
      until: visit.at,
    }, { requiredKeys: [] });
    const length = fc.integer({ min: 1, max: 5 });
    await fc.assert(
      fc.asyncProperty(entries, filters, length, async (entries, filter, limit) => {
        await database.queries.deleteFrom("attendance").execute();
        await log.write(entries);
        const expected = entries.toReversed()
          .filter((entry) =>
            (filter.channel === undefined || entry.channel === filter.channel) &&
            isOfPeople(entry, filter) &&
            (filter.kind === undefined || entry.kind === filter.kind) &&
            (filter.since === undefined || entry.at >= filter.since) &&
            (filter.until === undefined || entry.at < filter.until)
          )
          .sort((a, b) => b.at - a.at);
        assert.deepEqual(await all(log, filter), expected);
        const found: ActivityEntry[] = [];
        let next: string | null = "no cursor";
        while (next !== null) {
          const page = await log.read({ ...filter, before: next, limit });
          assert(page.entries.length <= limit);
          found.push(...page.entries);
          next = page.next;
        }
        assert.deepEqual(found, expected);
      }),
      { numRuns: 40 },
    );
  });

  it("has the first moment of a filter, and not the last", async () => {
    const log = new ActivityLog(await store.open());
    const entries = [0, 1, 2].map((later) => joined("ada", noon + later));
    await log.write(entries);
    assert.deepEqual(await all(log, { since: noon + 1, until: noon + 2 }), [entries[1]]);
  });

  it("repeats and skips no entry when entries are added between two pages", async () => {
    const log = new ActivityLog(await store.open());
    await log.write([joined("ada", noon), joined("ben", noon), joined("cem", noon)]);
    const first = await log.read({ limit: 2 });
    assert.deepEqual(first.entries.map(({ userId }) => userId), ["cem", "ben"]);
    await log.write([joined("dan", noon), left("ben", noon + 1)]);
    const second = await log.read({ limit: 2, before: first.next! });
    assert.deepEqual(second, { entries: [joined("ada", noon)], next: null });
  });

  it("knows when each of many users last joined or left a channel, and of no one else", async () => {
    const log = new ActivityLog(await store.open());
    const users = Array.from({ length: 250 }, (_, index) => `user-${index}`);
    const elsewhere = { ...joined("user-0", noon + 900), channel: "7/presence-desk" };
    await log.write([...users.map((id) => joined(id, noon)), elsewhere]);
    await log.write([left("user-0", noon + 5), left("user-240", noon + 6), joined("\0", noon + 7)]);
    const seen = await log.lastSeen(onlineKey, [...users, "\0", "unknown"]);
    const expected = new Map(users.map((id) => [id, noon]));
    expected.set("user-0", noon + 5).set("user-240", noon + 6).set("\0", noon + 7);
    assert.deepEqual(seen, expected);
    assert.deepEqual(await log.lastSeen(onlineKey, []), new Map());
  });

  it("exports all entries, page by page", async () => {
    const log = new ActivityLog(await store.open());
    const entries = Array.from({ length: 2_500 }, (_, index) => joined("ada", noon + index));
    await log.write(entries);
    const pages = await Array.fromAsync(log.each());
    assert.deepEqual(pages.map((page) => page.length), [1_000, 1_000, 500]);
    assert.deepEqual(pages.flat(), entries.toReversed());
    assert.deepEqual(await Array.fromAsync(log.each({ userId: "missing" })), []);
    assert.equal((await log.read({ limit: 1_000_000 })).entries.length, 1_000);
    for (const limit of [0, -1, NaN]) assert.equal((await log.read({ limit })).entries.length, 1);
  });

  it("finds users by the beginning of a name that they had, without case and accents", async () => {
    const log = new ActivityLog(await store.open());
    const named = (userId: string, name: string): ActivityEntry => (
      { ...joined(userId, noon), kind: "foreign", name }
    );
    await log.write([named("1", "Zoë Ångström"), named("1", "Zoe A."), named("2", "zoey")]);
    await log.write([named("3", "A Zoe"), joined("zoe", noon)]);
    const found = async (text: string, limit = 9) => (await log.idsNamed(text, limit)).sort();
    assert.deepEqual(await found(" ZOE"), ["1", "2"]);
    assert.deepEqual(await found("zoë å"), ["1"]);
    assert.deepEqual([await found("oe"), await found(" ")], [[], []]);
    assert.equal((await found("z", 1)).length, 1);
  });

  it("adds a leave for everyone who was online when the server was killed", async () => {
    const log = new ActivityLog(await store.open());
    await log.write([
      joined("ada", noon),
      joined("ben", noon + 1),
      { ...joined("guest-1", noon + 2), kind: "guest" },
      { ...joined("late", noon + 90), kind: "foreign", name: "Ann" },
    ]);
    await log.write([left("ben", noon + 3), joined("cem", noon + 4), left("cem", noon + 5)]);
    await log.write([joined("cem", noon + 6), left("ben", noon + 7), left("ada", noon + 8)]);
    await log.write([joined("ada", noon + 9)]);
    assert.equal(await log.closeOpen(noon + 60, "server_restart"), 4);
    const closed = (userId: string, at = noon + 60, kind = "user", name: string | null = null) => (
      { channel: onlineKey, change: "left", at, userId, kind, name, reason: "server_restart" }
    );
    const entries = (await all(log)).filter((entry) =>
      entry.change === "left" && entry.reason === "server_restart"
    );
    assert.deepEqual(
      entries.sort((a, b) => a.userId.localeCompare(b.userId)),
      [
        closed("ada"),
        closed("cem"),
        closed("guest-1", noon + 60, "guest"),
        closed("late", noon + 90, "foreign", "Ann"),
      ],
    );
    assert.equal((await log.read({ userId: "late", limit: 1 })).entries[0].change, "left");
    assert.equal(await log.closeOpen(noon + 61, "server_restart"), 0);
  });

  it("stores any id that a user of another application can have", async () => {
    const log = new ActivityLog(await store.open());
    const ids = ["\0", "a\0b", "a\ud800", "💡".repeat(100), "'; drop table attendance; --", "=1+1"];
    for (const id of ids) {
      await log.write([joined(id, noon)]);
      const { entries } = await log.read({ userId: id, limit: 5 });
      assert.equal(entries.length, 1, JSON.stringify(id));
    }
    assert.equal(await log.closeOpen(noon, "server_restart"), ids.length);
  });

  it("deletes entries older than a time, and still closes joins that were among them", async () => {
    const log = new ActivityLog(await store.open());
    await log.write([joined("ada", noon), joined("ben", noon + 1)]);
    while (!await log.forgetSome(noon + 1));
    assert.deepEqual(await all(log), [joined("ben", noon + 1)]);
    assert.equal(await log.closeOpen(noon + 2, "server_restart"), 2);
  });

  it("deletes old entries some at a time, until none is left", async () => {
    const log = new ActivityLog(await store.open());
    const old = Array.from({ length: 450 }, (_, index) => joined(`user-${index}`, noon + index));
    await log.write([...old, joined("ada", noon + 1_000)]);
    const left: number[] = [];
    while (!await log.forgetSome(noon + 1_000)) left.push((await all(log)).length);
    assert.deepEqual(left, [251, 51, 1]);
    assert.deepEqual(await all(log), [joined("ada", noon + 1_000)]);
  });

  it("deletes the oldest of too many entries", async () => {
    const log = new ActivityLog(await store.open());
    const entries = Array.from({ length: 10 }, (_, index) => joined(`user-${index}`, noon + index));
    await log.write(entries);
    while (!await log.forgetSome(noon, 3));
    assert.deepEqual(await all(log), entries.slice(-3).toReversed());
    while (!await log.forgetSome(noon, 3));
    assert.equal((await all(log)).length, 3);
  });

  it("stores the entries of two processes that write at once", async () => {
    const [here, there] = [
      new ActivityLog(await store.open()),
      new ActivityLog(await store.open()),
    ];
    for (let run = 0; run < 20; run++) {
      await Promise.all([
        here.write([joined("ada", noon + run), joined("ben", noon + run)]),
        there.write([joined("cem", noon + run), joined("dan", noon + run)]),
      ]);
    }
    assert.equal((await all(here)).length, 80);
    assert.equal(await there.closeOpen(noon + 20, "server_restart"), 4);
  });
});

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

describeOnDatabase("a page of the activity log", (store) => {
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
