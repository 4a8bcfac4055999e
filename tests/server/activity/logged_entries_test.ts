import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import type { Database } from "@/server/database/database.ts";
import { LeaderTerm } from "@/server/database/leader_term.ts";
import { type ActivityEntry, ActivityLog, type NewEntry } from "@/server/activity/activity_log.ts";
import { SharedActivity } from "@/server/activity/activity.ts";
import { activityRecorder, type PresenceChange } from "@/server/activity/activity_recorder.ts";
import { onlineKey } from "@/shared/counted.ts";
import type { User } from "@/server/accounts/accounts.ts";
import type { Activity } from "@/shared/online.ts";
import { describeOnDatabase } from "../../fixtures/databases.ts";
import { ManualClock } from "../../realtime/manual_clock.ts";
import { eventually } from "../../fixtures/eventually.ts";

const ada = { channel: onlineKey, userId: "ada", kind: "foreign", name: "Ada" } as const;
const join: NewEntry = { ...ada, at: 1, change: "joined", logId: "1-0" };
const leave: NewEntry = { ...ada, at: 2, change: "left", reason: "closed", logId: "2-0" };

/** The activity log, and a server whose term it is to write it. */
async function writer(database: Database) {
  const term = new LeaderTerm(database);
  await term.begin(() => true);
  return { log: new ActivityLog(database), shared: new SharedActivity(term) };
}

describeOnDatabase("an entry of the log of all servers", (store) => {
  it("is stored once, and changes who is online once", async () => {
    const { log, shared } = await writer(await store.open());
    assert.deepEqual(await shared.write([join, join]), [join]);
    assert.deepEqual(await log.open(onlineKey), [{ userId: "ada", since: 1, name: "Ada" }]);
    assert.deepEqual(await shared.write([join, leave]), [leave]);
    assert.deepEqual(await shared.write([join]), []);
    assert.deepEqual(await log.open(onlineKey), []);
    const { entries } = await log.read({ limit: 9 });
    assert.deepEqual(entries.map(({ change }) => change), ["left", "joined"]);
  });

  it("is stored beside entries of no log, which have no id", async () => {
    const { shared } = await writer(await store.open());
    const { logId: _, ...plain } = leave;
    const back: NewEntry = { ...join, at: 3, logId: "3-0" };
    assert.deepEqual(await shared.write([join, plain, back]), [join, plain, back]);
    const ids = await store.query(`select "logId" as id from "attendance" order by "number"`);
    assert.deepEqual(ids.map(({ id }) => id), ["1-0", null, "3-0"]);
  });

  it("is left out when it joins a user who has not left, or the other way round", async () => {
    const { log, shared } = await writer(await store.open());
    const again: NewEntry = { ...join, at: 3, logId: "3-0" };
    const late: NewEntry = { ...leave, at: 4, logId: "4-0" };
    assert.deepEqual(await shared.write([leave]), []);
    assert.deepEqual(await shared.write([join, again]), [join]);
    assert.deepEqual(await shared.write([again, late, { ...late, logId: "5-0" }]), [late]);
    assert.deepEqual(await log.open(onlineKey), []);
    const elsewhere = { ...join, channel: "presence-other", logId: "6-0" };
    assert.deepEqual(await shared.write([elsewhere, { ...join, logId: "7-0" }]), [
      elsewhere,
      { ...join, logId: "7-0" },
    ]);
  });

  it("is left out when a later one is stored: it was left out before", async () => {
    const { log, shared } = await writer(await store.open());
    const again: NewEntry = { ...join, at: 10, logId: "10-9" };
    const late: NewEntry = { ...leave, at: 10, logId: "10-10" };
    await shared.write([join]);
    assert.deepEqual(await shared.write([again, late]), [late]);
    assert.deepEqual(await shared.write([again, late]), []);
    assert.deepEqual(await log.open(onlineKey), []);
  });

  it("of no log is stored once, when its writer learns of no success and repeats it", async () => {
    const { shared } = await writer(await store.open());
    const { logId: _, ...plain } = join;
    assert.deepEqual(await shared.write([plain]), [plain]);
    assert.deepEqual(await shared.write([plain]), []);
  });

  it("is passed on and acknowledged when it is stored, and only acknowledged when it was", async () => {
    const { shared } = await writer(await store.open());
    const [passedOn, acknowledged]: string[][] = [[], []];
    const recorder = activityRecorder({
      log: shared,
      accountsOf: () => Promise.resolve([]),
      clock: new ManualClock(),
      onStored: ({ id, change }) => passedOn.push(`${change} ${id}`),
      failed: (error) => assert.fail(String(error)),
    });
    for (const id of ["1-0", "1-0", "2-0"]) {
      const logged = { id, stored: () => acknowledged.push(id) };
      const change = { channel: onlineKey, userId: id, at: 1, member: undefined, logged };
      recorder.add({ ...change, change: "joined" });
    }
    assert.deepEqual(acknowledged, []);
    await recorder.stop();
    assert.deepEqual(passedOn, ["joined 1-0", "joined 2-0"]);
    assert.deepEqual(acknowledged, ["1-0", "1-0", "2-0"]);
  });

  it("is neither stored nor acknowledged when it is another server's turn", async () => {
    const [one, two] = [await writer(await store.open()), await writer(await store.open())];
    const recorder = activityRecorder({
      log: one.shared,
      accountsOf: () => Promise.resolve([]),
      clock: new ManualClock(),
      onStored: () => assert.fail("stored"),
      failed: (error) => assert.fail(String(error)),
    });
    const logged = { id: "1-0", stored: () => assert.fail("acknowledged") };
    const change = { channel: onlineKey, userId: "ada", at: 2, member: undefined, logged };
    recorder.add({ ...change, change: "joined" });
    await recorder.stop();
    assert.deepEqual(await two.log.open(onlineKey), []);
    assert.deepEqual(await two.shared.write([join]), [join]);
  });
});

const [ben, guest] = ["b".repeat(32), `guest-${"3f2a".repeat(8)}`];

const account: User = {
  id: ben,
  name: "Ben",
  email: "ben@example.org",
  role: "user",
  limits: null,
  disabled: false,
  language: null,
  createdAt: new Date(0),
};

function accountsOf(ids: readonly string[]): Promise<User[]> {
  return Promise.resolve(ids.includes(ben) ? [account] : []);
}

function joined(userId: string, at: number): PresenceChange {
  const member = { id: userId, info: "{}", options: { name: "Ann of the app" } };
  return { channel: onlineKey, change: "joined", at, userId, member };
}

describeOnDatabase("the activity recorder", (store) => {
  it("stores joins and leaves soon, by kind of user, and passes them on with names", async () => {
    const log = new ActivityLog(await store.open());
    const clock = new ManualClock();
    const lines: Activity[] = [];
    const onStored = (line: Activity) => lines.push(line);
    const failed = (error: unknown) => assert.fail(String(error));
    const recorder = activityRecorder({ log, accountsOf, onStored, failed, clock });
    for (const [index, id] of [ben, guest, "42"].entries()) recorder.add(joined(id, index));
    recorder.add({ ...joined(ben, 3), change: "left", reason: "removed" });
    clock.advance(250);
    const stored = await eventually(async () => {
      const { entries } = await log.read({ limit: 9 });
      return entries.length > 0 ? entries.toReversed() : undefined;
    }, "the changes were stored");
    const channel = onlineKey;
    assert.deepEqual(stored, [
      { channel, change: "joined", at: 0, userId: ben, kind: "user", name: null },
      { channel, change: "joined", at: 1, userId: guest, kind: "guest", name: null },
      { channel, change: "joined", at: 2, userId: "42", kind: "foreign", name: "Ann of the app" },
      { channel, change: "left", at: 3, userId: ben, kind: "user", name: null, reason: "removed" },
    ]);
    recorder.add(joined("late", 4));
    await recorder.stop();
    assert.deepEqual([(await log.read({ limit: 9 })).entries.length, clock.timers], [5, 0]);
    assert.deepEqual(lines.map(({ name }) => name), [
      "Ben",
      "Guest 3f2a",
      "Ann of the app",
      "Ben",
      "Ann of the app",
    ]);
    assert.deepEqual(lines[3], {
      at: 3,
      id: ben,
      kind: "user",
      name: "Ben",
      change: "left",
      reason: "removed",
    });
  });

  it("takes no user of another app for an account or a guest", async () => {
    const log = new ActivityLog(await store.open());
    const lines: Activity[] = [];
    const recorder = activityRecorder({
      log,
      accountsOf,
      clock: new ManualClock(),
      onStored: (line) => lines.push(line),
      failed: (error) => assert.fail(String(error)),
    });
    for (const id of [ben, guest]) recorder.add({ ...joined(id, 0), channel: "4711/presence-a" });
    await recorder.stop();
    assert.deepEqual(lines.map(({ kind, name, isElsewhere }) => [kind, name, isElsewhere]), [
      ["foreign", "Ann of the app", true],
      ["foreign", "Ann of the app", true],
    ]);
    assert.equal((await log.read({ userId: [ben, guest], limit: 9 })).entries.length, 0);
  });

  it("stores each entry once after the database failed", async () => {
    const log = new ActivityLog(await store.open());
    const clock = new ManualClock();
    const { promise: failure, resolve: failed } = Promise.withResolvers<unknown>();
    const lines: Activity[] = [];
    const onStored = (line: Activity) => lines.push(line);
    const recorder = activityRecorder({ log, accountsOf, onStored, failed, clock });
    // The log itself can be written, but not who is in: neither may be kept.
    await store.query(`alter table "attending" rename to "elsewhere"`);
    const entries = Array.from(
      { length: 1_200 },
      (_, index) => joined(`user-${index % 10}`, index),
    );
    for (const entry of entries) recorder.add(entry);
    clock.advance(250);
    assert.match(String(await failure), /attending/);
    assert.deepEqual([(await log.read({ limit: 9 })).entries, lines], [[], []]);
    await store.query(`alter table "elsewhere" rename to "attending"`);
    await recorder.stop();
    const stored = (await Array.fromAsync(log.each())).flat();
    const expected = entries.map(({ member, ...entry }) =>
      ({ ...entry, kind: "foreign", name: member?.options?.name ?? null }) as ActivityEntry
    );
    assert.deepEqual(stored, expected.toReversed());
    assert.equal(lines.length, entries.length);
  });
});

describe("the activity recorder without a database", () => {
  it("keeps the latest 20,000 changes until the database is back", async () => {
    const written: ActivityEntry[] = [];
    const write = (entries: ActivityEntry[]) => Promise.resolve(void written.push(...entries));
    const recorder = activityRecorder({
      log: { write },
      accountsOf,
      onStored: () => {},
      failed: () => {},
      clock: new ManualClock(),
    });
    for (let index = 0; index < 20_100; index++) recorder.add(joined("42", index));
    await recorder.stop();
    assert.deepEqual([written.length, written[0].at], [20_000, 100]);
  });
});
