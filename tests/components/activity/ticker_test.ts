import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import {
  atTime,
  fastAbove,
  rateText,
  slowBelow,
  tickerLength,
  type TickerState,
  tickerState,
  withActivity,
  withChanges,
  withPause,
  withRequested,
} from "@/components/activity/ticker.ts";
import type { Activity } from "@/shared/online.ts";

let last = 0;

function changes(count: number, change: "joined" | "left" = "joined"): Activity[] {
  return Array.from({ length: count }, () => {
    const line = { at: ++last, id: `user${last}`, kind: "foreign" as const, name: "A" };
    return change === "joined" ? { ...line, change } : { ...line, change, reason: "closed" };
  });
}

const step = fc.oneof(
  fc.record({ kind: fc.constant("changes" as const), count: fc.nat(30) }),
  fc.record({ kind: fc.constant("hold" as const), isPaused: fc.boolean() }),
  fc.record({ kind: fc.constant("wait" as const), ms: fc.nat(6_000) }),
  fc.record({ kind: fc.constant("requested" as const), count: fc.nat(30) }),
);

describe("the ticker", () => {
  it("counts the changes of a large channel that it is not sent one by one", () => {
    const rate = { joined: 200, left: 50 };
    const held = withPause(withChanges(tickerState([]), changes(1), 1_000), true);
    const state = withChanges(held, changes(20), 2_000, rate);
    assert.equal(state.missed, 250);
    assert.equal(state.isFast, true);
    assert.equal(rateText(state), "201 joined, 50 left in the last 10 s");
  });

  it("shows the latest lines unless they are held or too many, and counts what it did not show", () => {
    fc.assert(fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      let now = 1_000_000;
      let state: TickerState = tickerState(changes(3).toReversed());
      let missed = 0;
      for (const step of steps) {
        const before = state;
        if (step.kind === "wait") state = atTime(state, now += step.ms);
        else if (step.kind === "hold") state = withPause(state, step.isPaused);
        else {
          const added = changes(step.count);
          state = step.kind === "changes"
            ? withChanges(state, added, now)
            : withRequested(state, added);
          missed += step.count;
        }
        if (state.shown === state.latest) missed = 0;
        assert.equal(state.missed, missed);
        if (state.isPaused) assert.equal(state.shown, before.shown);
        else if (!state.isFast) assert.equal(state.shown, state.latest);
        assert.ok(state.seconds.length <= 11, "what is counted is bounded");
      }
    }));
  });

  it("folds above five changes a second, and unfolds when there are clearly fewer", () => {
    let state = withChanges(tickerState([]), changes(fastAbove), 0);
    assert.equal(state.isFast, false);
    state = withChanges(state, changes(1, "left"), 500);
    assert.equal(state.isFast, true);
    assert.equal(rateText(state), "50 joined, 1 left in the last 10 s");
    state = withChanges(state, changes(slowBelow), 9_000);
    state = atTime(state, 11_000);
    assert.equal(state.isFast, true, "30 in the last 10 s");
    state = atTime(state, 19_001);
    assert.equal(state.isFast, false);
    assert.equal(state.shown, state.latest);
  });

  it("brings the lines up to date every ten seconds while it is folded", () => {
    let state = withChanges(tickerState([]), changes(60), 20_000);
    const shown = state.shown;
    assert.equal(shown, state.latest, "at the start of the fold");
    state = withChanges(state, changes(60), 29_000);
    assert.equal(state.shown, shown);
    state = withChanges(state, changes(60), 30_000);
    assert.equal(state.shown, state.latest);
  });

  it("does not take requested lines for changes of now, nor count a line twice", () => {
    const lines = changes(20);
    let state = withRequested(tickerState([]), lines);
    assert.equal(state.seconds.length, 0);
    state = withPause(state, true);
    state = withRequested(state, lines);
    assert.equal(state.missed, 0);
    state = withRequested(state, [{ ...lines[0], at: lines[0].at - 1 }]);
    assert.equal(state.missed, 0, "a line of before");
    state = withChanges(state, [lines[19], ...changes(2)], 0);
    assert.equal(state.missed, 2);
  });
});

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
