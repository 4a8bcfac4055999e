import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import type { User } from "@/server/accounts/accounts.ts";
import { activityRecorder, type PresenceChange } from "@/server/activity/activity_recorder.ts";
import { type ActivityEntry, ActivityLog } from "@/server/activity/activity_log.ts";
import { onlineKey } from "@/shared/counted.ts";
import { describeOnEachDatabase } from "../../fixtures/databases.ts";
import { eventually } from "../../fixtures/eventually.ts";
import { ManualClock } from "../../realtime/manual_clock.ts";
import type { Activity } from "@/shared/online.ts";

const [ben, guest] = ["b".repeat(32), `guest-${"3f2a".repeat(8)}`];

const account: User = {
  id: ben,
  name: "Ben",
  email: "ben@example.org",
  role: "user",
  disabled: false,
  createdAt: new Date(0),
};

function accountsOf(ids: readonly string[]): Promise<User[]> {
  return Promise.resolve(ids.includes(ben) ? [account] : []);
}

function joined(userId: string, at: number): PresenceChange {
  const member = { id: userId, info: "{}", profile: { name: "Ann of the app" } };
  return { channel: onlineKey, change: "joined", at, userId, member };
}

describeOnEachDatabase("the activity recorder", (store) => {
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
      ({ ...entry, kind: "foreign", name: member?.profile?.name ?? null }) as ActivityEntry
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
