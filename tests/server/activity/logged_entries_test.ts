import assert from "node:assert/strict";
import { it } from "@std/testing/bdd";
import type { Database } from "@/server/database/database.ts";
import { LeaderTerm } from "@/server/database/leader_term.ts";
import { ActivityLog, type NewEntry } from "@/server/activity/activity_log.ts";
import { SharedActivity } from "@/server/activity/activity.ts";
import { activityRecorder } from "@/server/activity/activity_recorder.ts";
import { onlineKey } from "@/shared/counted.ts";
import { describeOnEachDatabase } from "../../fixtures/databases.ts";
import { ManualClock } from "../../realtime/manual_clock.ts";

const ada = { channel: onlineKey, userId: "ada", kind: "foreign", name: "Ada" } as const;
const join: NewEntry = { ...ada, at: 1, change: "joined", logId: "1-0" };
const leave: NewEntry = { ...ada, at: 2, change: "left", reason: "closed", logId: "2-0" };

/** The activity log, and a server whose term it is to write it. */
async function writer(database: Database) {
  const term = new LeaderTerm(database);
  await term.begin(() => true);
  return { log: new ActivityLog(database), shared: new SharedActivity(term) };
}

describeOnEachDatabase("an entry of the log of all servers", (store) => {
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
