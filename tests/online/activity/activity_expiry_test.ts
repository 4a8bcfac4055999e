import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { ActivityExpiry } from "../../../online/activity/activity_expiry.ts";
import { ManualClock } from "../../realtime/manual_clock.ts";

const day = 24 * 60 * 60_000;

describe("the expiry of the activity log", () => {
  it("deletes old entries at its start and then once a day", async () => {
    const clock = new ManualClock();
    clock.advance(10 * day);
    const forgotten: number[] = [];
    const failures: unknown[] = [];
    const log = {
      forget(olderThan: number) {
        forgotten.push(olderThan);
        return forgotten.length === 2 ? Promise.reject("no database") : Promise.resolve();
      },
    };
    const failed = (error: unknown) => failures.push(error);
    const expiry = new ActivityExpiry(log, { days: 3, failed, clock });
    assert.deepEqual(forgotten, [7 * day]);
    clock.advance(2 * day);
    assert.deepEqual(forgotten, [7 * day, 8 * day, 9 * day]);
    await expiry.stop();
    assert.deepEqual([failures, clock.timers], [["no database"], 0]);
  });
});
