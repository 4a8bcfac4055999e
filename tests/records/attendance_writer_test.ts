import assert from "node:assert/strict";
import { it } from "@std/testing/bdd";
import { type AttendanceEntry, AttendanceLog } from "../../records/attendance_log.ts";
import { attendanceWriter } from "../../records/attendance_writer.ts";
import { describeOnEachDatabase } from "../fixtures/databases.ts";
import { ManualClock } from "../realtime/manual_clock.ts";

function joined(at: number): AttendanceEntry {
  return { change: "joined", at, userId: `user-${at % 10}`, kind: "user" };
}

describeOnEachDatabase("the writer of the attendance log", (store) => {
  it("stores joins and leaves a second after they happen, and the last ones at its stop", async () => {
    const log = new AttendanceLog(await store.open());
    const clock = new ManualClock();
    const { promise: wrote, resolve } = Promise.withResolvers<void>();
    const write = async (entries: AttendanceEntry[]) => {
      await log.write(entries);
      resolve();
    };
    const failed = (error: unknown) => assert.fail(String(error));
    const writer = attendanceWriter({ log: { write }, failed, clock });
    writer.add(joined(1));
    writer.add(joined(2));
    clock.advance(1_000);
    await wrote;
    assert.deepEqual((await log.read({ limit: 9 })).entries, [joined(2), joined(1)]);
    writer.add(joined(3));
    await writer.stop();
    assert.equal((await log.read({ limit: 9 })).entries.length, 3);
    assert.equal(clock.timers, 0);
  });

  it("holds what a failing database does not take until it is back, each entry once", async () => {
    const log = new AttendanceLog(await store.open());
    const clock = new ManualClock();
    const { promise: failure, resolve: failed } = Promise.withResolvers<unknown>();
    const writer = attendanceWriter({ log, failed, clock });
    // The log itself can be written, but not who is in: neither may be kept.
    await store.query(`alter table "attending" rename to "elsewhere"`);
    const entries = Array.from({ length: 1_200 }, (_, index) => joined(index));
    for (const entry of entries) writer.add(entry);
    clock.advance(1_000);
    assert.match(String(await failure), /attending/);
    assert.deepEqual((await log.read({ limit: 9 })).entries, []);
    await store.query(`alter table "elsewhere" rename to "attending"`);
    await writer.stop();
    const stored = (await Array.fromAsync(log.each())).flat();
    assert.deepEqual(stored, entries.toReversed());
  });
});
