import assert from "node:assert/strict";
import { it } from "@std/testing/bdd";
import { ActivityLog, type NewEntry } from "../../../online/activity/activity_log.ts";
import { activityRecorder } from "../../../online/activity/activity_recorder.ts";
import { onlineKey } from "../../../shared/counted.ts";
import { describeOnEachDatabase } from "../../fixtures/databases.ts";
import { ManualClock } from "../../realtime/manual_clock.ts";

const ada = { channel: onlineKey, userId: "ada", kind: "foreign", name: "Ada" } as const;
const join: NewEntry = { ...ada, at: 1, change: "joined", logId: "1-0" };
const leave: NewEntry = { ...ada, at: 2, change: "left", reason: "closed", logId: "2-0" };

describeOnEachDatabase("an entry of the log of all servers", (store) => {
  it("is stored once, and changes who is online once", async () => {
    const log = new ActivityLog(await store.open());
    assert.deepEqual(await log.write([join, join]), [join]);
    assert.deepEqual(await log.open(onlineKey), [{ userId: "ada", since: 1, name: "Ada" }]);
    assert.deepEqual(await log.write([join, leave]), [leave]);
    assert.deepEqual(await log.write([join]), []);
    assert.deepEqual(await log.open(onlineKey), []);
    const { entries } = await log.read({ limit: 9 });
    assert.deepEqual(entries.map(({ change }) => change), ["left", "joined"]);
  });

  it("is stored beside entries of no log, which have no id", async () => {
    const log = new ActivityLog(await store.open());
    const { logId: _, ...plain } = leave;
    const back: NewEntry = { ...join, at: 3, logId: "3-0" };
    assert.equal((await log.write([join, plain, back])).length, 3);
    const ids = await store.query(`select "logId" as id from "attendance" order by "number"`);
    assert.deepEqual(ids.map(({ id }) => id), ["1-0", null, "3-0"]);
  });

  it("is left out when it joins a user who has not left, or the other way round", async () => {
    const log = new ActivityLog(await store.open());
    const again: NewEntry = { ...join, at: 3, logId: "3-0" };
    const late: NewEntry = { ...leave, at: 4, logId: "4-0" };
    assert.deepEqual(await log.write([leave]), []);
    assert.deepEqual(await log.write([join, again]), [join]);
    assert.deepEqual(await log.write([again, late, { ...late, logId: "5-0" }]), [late]);
    assert.deepEqual(await log.open(onlineKey), []);
    const elsewhere = { ...join, channel: "presence-other", logId: "6-0" };
    assert.deepEqual(await log.write([elsewhere, { ...join, logId: "7-0" }]), [
      elsewhere,
      { ...join, logId: "7-0" },
    ]);
  });

  it("is stored once by two servers that write it at the same time", async () => {
    const servers = [await store.open(), await store.open()].map((each) => new ActivityLog(each));
    for (let round = 0; round < 20; round++) {
      const entries = Array.from({ length: 50 }, (_, index): NewEntry => (
        { ...join, at: index, userId: `${round}-${index}`, logId: `${round}-${index}` }
      ));
      const written = await Promise.all([
        servers[0].write(entries.slice(0, 40)),
        servers[1].write(entries.slice(10)),
      ]);
      assert.equal(written.flat().length, 50);
    }
    const [{ rows }] = await store.query(`select count(*) as "rows" from "attendance"`);
    assert.equal(Number(rows), 1_000);
  });

  it("is passed on and acknowledged when it is stored, and only acknowledged when it was", async () => {
    const log = new ActivityLog(await store.open());
    const [passedOn, acknowledged]: string[][] = [[], []];
    const recorder = activityRecorder({
      ...{ log, accountsOf: () => Promise.resolve([]), clock: new ManualClock() },
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
});
