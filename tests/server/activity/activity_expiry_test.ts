import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { ActivityExpiry } from "@/server/activity/activity_recorder.ts";
import { ManualClock } from "../../realtime/manual_clock.ts";

const minute = 60_000;
const day = 24 * 60 * minute;

/** A tick of the event loop, in which a batch ends. */
const term = () => new Promise<void>((resolve) => setTimeout(resolve));

/** A log with some batches of old entries. */
class BatchLog {
  readonly asked: number[] = [];
  failure: unknown;

  constructor(public batches: number) {}

  forgetSome(olderThan: number): Promise<boolean> {
    this.asked.push(olderThan);
    if (this.failure !== undefined) return Promise.reject(this.failure);
    return Promise.resolve(--this.batches < 0);
  }
}

describe("the expiry of the activity log", () => {
  it("deletes old entries at its start and then every ten minutes", async () => {
    const [clock, log, failures] = [new ManualClock(), new BatchLog(0), [] as unknown[]];
    clock.advance(10 * day);
    const failed = (error: unknown) => failures.push(error);
    const expiry = new ActivityExpiry(log, { days: 3, failed, clock });
    await term();
    for (const failure of ["no database", undefined]) {
      log.failure = failure;
      clock.advance(10 * minute);
      await term();
    }
    assert.deepEqual(log.asked, [0, 10, 20].map((minutes) => 7 * day + minutes * minute));
    await expiry.stop();
    assert.deepEqual([failures, clock.timers], [["no database"], 0]);
  });

  it("lets other work be done after each batch, until all that is old is gone", async () => {
    const [clock, log] = [new ManualClock(), new BatchLog(3)];
    const expiry = new ActivityExpiry(log, { days: 3, failed: assert.ifError, clock });
    for (let batch = 1; batch <= 4; batch++) {
      await term();
      assert.equal(log.asked.length, batch);
      clock.advance(1_000);
    }
    await term();
    assert.equal(log.asked.length, 4);
    await expiry.stop();
  });

  it("ends with the batch that is under way when it is stopped", async () => {
    const [clock, log] = [new ManualClock(), new BatchLog(3)];
    const expiry = new ActivityExpiry(log, { days: 3, failed: assert.ifError, clock });
    await expiry.stop();
    assert.deepEqual([log.asked.length, clock.timers], [1, 0]);
  });
});
