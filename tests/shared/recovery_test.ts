import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import {
  beginRecovery,
  byClock,
  continueRecovery,
  growthMs,
  type Recovery,
  recoveryEnd,
  recoveryMs,
} from "@/shared/recovery.ts";

const start = 1_000_000;

/** The recovery after counts at times since the start; null once it is over. */
function after(before: number, ...counts: [users: number, atMs: number][]): Recovery | null {
  return counts.reduce<Recovery | null>(
    (recovery, [users, at]) => recovery && continueRecovery(recovery, users, start + at),
    beginRecovery(before, 0, start),
  );
}

describe("the recovery of the number", () => {
  it("does not begin where as many users are online as before", () => {
    assert.equal(beginRecovery(56, 56, start), null);
    assert.equal(beginRecovery(0, 1, start), null);
  });

  it("waits for one user where there was none before", () => {
    assert.equal(after(0)?.expected, 1);
    assert.equal(after(0, [1, 5]), null);
  });

  it("is over as soon as as many are back as before", () => {
    assert.deepEqual(after(56, [11, 5_000], [55, 6_000])?.most, 55);
    assert.equal(after(56, [11, 5_000], [56, 6_000]), null);
  });

  it("is over after 30 seconds if the number has stopped growing by then", () => {
    const half = after(56, [40, recoveryMs.least - growthMs]);
    assert.equal(half && recoveryEnd(half), start + recoveryMs.least);
    assert.ok(half && continueRecovery(half, 40, start + recoveryMs.least - 1));
    assert.equal(half && continueRecovery(half, 40, start + recoveryMs.least), null);
  });

  it("lasts until the number has not grown for ten seconds", () => {
    const late = after(56, [40, 29_000]);
    assert.ok(late && continueRecovery(late, 40, start + 29_000 + growthMs - 1));
    assert.equal(late && continueRecovery(late, 40, start + 29_000 + growthMs), null);
  });

  it("takes users who leave and come again for no growth", () => {
    assert.equal(after(56, [40, 20_000], [38, 25_000], [40, 29_000], [40, 30_000]), null);
  });

  it("is over after two minutes, however the number grows", () => {
    const seconds = Array.from({ length: 119 }, (_, index) => index + 1);
    const growing = seconds.map((second): [number, number] => [second, second * 1_000]);
    assert.ok(after(1_000, ...growing));
    assert.equal(after(1_000, ...growing, [120, recoveryMs.most]), null);
  });

  it("is over when the clock was set back to before the start", () => {
    assert.equal(after(56, [11, -1]), null);
  });

  it("expects as many as servers that were killed have left behind, where that is more than was recorded", () => {
    const begun = beginRecovery(7, 0, start, 12_000)!;
    const left = continueRecovery(begun, 9, start + 1_000)!;
    assert.deepEqual(left, { ...begun, expected: 9 });
    assert.equal(continueRecovery(left, 3, start + 11_999), left);
    const back = continueRecovery(left, 8, start + 12_000)!;
    assert.deepEqual([back.expected, back.most], [9, 8]);
    assert.equal(continueRecovery(back, 9, start + 13_000), null);
  });

  it("is the same object while nothing changes", () => {
    const recovery = after(56, [11, 5_000])!;
    assert.equal(continueRecovery(recovery, 11, start + 6_000), recovery);
  });

  it("is the same by any clock", () => {
    const course = fc.array(fc.tuple(fc.nat(20), fc.nat(20_000)), { maxLength: 20 });
    fc.assert(
      fc.property(
        fc.integer(),
        fc.nat(20),
        fc.nat(9_000),
        course,
        (ahead, before, uncertainMs, course) => {
          let here = beginRecovery(before, 0, 0, uncertainMs);
          let there = here && byClock(here, ahead);
          let at = 0;
          for (const [users, passes] of course) {
            at += passes;
            here &&= continueRecovery(here, users, at);
            there &&= continueRecovery(there, users, at + ahead);
            assert.deepEqual(there, here && byClock(here, ahead));
          }
        },
      ),
    );
  });

  it("never says too early that the number can be believed, nor stays forever, in any course", () => {
    const course = fc.array(fc.tuple(fc.nat(30), fc.nat(9_000)), { maxLength: 60 });
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 30 }), course, (before, course) => {
        let recovery = beginRecovery(before, 0, 0);
        let [at, most, grewAt] = [0, 0, 0];
        for (const [users, passes] of course) {
          at += passes;
          const isTimeOver = at >= 120_000 || (at >= 30_000 && at - grewAt >= 10_000);
          if (recovery) {
            recovery = continueRecovery(recovery, users, at);
            assert.equal(recovery === null, isTimeOver || users >= before);
          }
          if (users > most) [most, grewAt] = [users, at];
          if (!recovery) return;
        }
      }),
      { numRuns: 1_000 },
    );
  });
});
