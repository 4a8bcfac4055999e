import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { tickerLength, withActivity } from "@/components/activity/ticker.ts";
import type { Activity } from "@/shared/online.ts";

function joined(at: number, id = "a"): Activity {
  return { at, id, kind: "foreign", name: id, change: "joined" };
}

describe("the recent activity", () => {
  it("keeps the newest lines in order, in whatever order and however often they arrive", () => {
    const happened = fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 60 }).map((waits) => {
      let at = 0;
      return waits.map((wait, index) => joined(at += wait, `user${index}`));
    });
    const parts = fc.array(fc.tuple(fc.nat(60), fc.nat(60)), { maxLength: 6 });
    fc.assert(fc.property(happened, parts, (happened, parts) => {
      let lines: readonly Activity[] = [];
      // Some lines arrive out of order, as in a late response; in the end all of them have arrived.
      for (const [from, length] of [...parts, [0, 60]]) {
        lines = withActivity(lines, happened.slice(from, from + length));
      }
      const newest = happened.toReversed().slice(0, tickerLength);
      const order = (some: readonly Activity[]) => some.map(({ at }) => at);
      assert.deepEqual(order(lines), order(newest));
    }));
  });

  it("has 20 lines, however many arrive", () => {
    const happened = Array.from({ length: 50 }, (_, at) => joined(at));
    assert.deepEqual(
      withActivity([], happened).map(({ at }) => at),
      Array.from({ length: 20 }, (_, index) => 49 - index),
    );
  });

  it("keeps the order of lines of the same millisecond", () => {
    const leave: Activity = { ...joined(1), change: "left", reason: "closed" };
    assert.deepEqual(withActivity([], [joined(1), leave]), [leave, joined(1)]);
  });

  it("is the same object when only known lines arrive", () => {
    const lines = withActivity([], [joined(1), joined(2)]);
    assert.equal(withActivity(lines, [joined(1)]), lines);
  });
});
