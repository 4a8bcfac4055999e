import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { FakeTime } from "@std/testing/time";
import {
  changeOf,
  hourWith,
  initialWallboard,
  reduceWallboard,
  type WallboardEvent,
  wallboardSilenceMs,
  type WallboardView,
} from "@/components/wallboard/wallboard_state.ts";
import { pathsOf } from "@/components/wallboard/LastHour.tsx";
import type { Freshness } from "@/shared/recovery.ts";
import { signOfLifeMs, type UsersCounted, type WallboardHour } from "@/shared/wallboard.ts";
import { refusalHandler } from "@/components/wallboard/wallboard_connection.ts";

const first: UsersCounted = {
  users: 5,
  connections: 7,
  at: 1_000,
  freshness: { state: "live" },
};

function after(...events: WallboardEvent[]): WallboardView {
  return events.reduce(reduceWallboard, initialWallboard(first, 0));
}

const counted = (users: number, at: number): WallboardEvent => ({
  type: "counted",
  counted: { users, connections: users, at, freshness: { state: "live" } },
  at,
});

const countedWith = (freshness: Freshness): WallboardEvent => ({
  type: "counted",
  counted: { users: 2, connections: 2, at: 10, freshness },
  at: 10,
});

describe("a wallboard", () => {
  it("starts with the number in the HTML and is connecting", () => {
    assert.deepEqual([after().status, after().counted.users], ["connecting", 5]);
  });

  it("is live with the last number that arrived", () => {
    const { status, counted: { users } } = after(counted(6, 10), counted(4, 20));
    assert.deepEqual([status, users], ["live", 4]);
  });

  it("is outdated without a sign of life while the connection is open", () => {
    const quiet = (at: number) => after(counted(6, 0), { type: "tick", at }).status;
    assert.equal(quiet(wallboardSilenceMs), "live");
    assert.equal(quiet(wallboardSilenceMs + 1), "outdated");
  });

  it("stays live when one sign of life is lost", () => {
    const at = 2 * signOfLifeMs;
    assert.equal(after(counted(6, 0), { type: "tick", at }).status, "live");
  });

  it("is outdated ten seconds after the connection was lost or not made", () => {
    const dropped = [counted(6, 0), { type: "dropped", at: 5 }] satisfies WallboardEvent[];
    assert.equal(after(...dropped).status, "reconnecting");
    assert.equal(after(...dropped, { type: "tick", at: 10_005 }).status, "reconnecting");
    assert.equal(after(...dropped, { type: "tick", at: 10_006 }).status, "outdated");
    assert.equal(after({ type: "tick", at: 10_001 }).status, "outdated");
  });

  it("stays outdated while attempts to connect fail", () => {
    const outdated = after(counted(6, 0), { type: "tick", at: 60_000 }, {
      type: "dropped",
      at: 60_001,
    });
    assert.equal(outdated.status, "outdated");
    assert.equal(outdated.counted.users, 6);
    assert.equal(reduceWallboard(outdated, counted(1, 70_000)).status, "live");
  });

  it("stays revoked after any event", () => {
    const revoked = after(counted(6, 0), { type: "revoked", at: 1 }, counted(7, 2), {
      type: "tick",
      at: 99_999,
    });
    assert.deepEqual([revoked.status, revoked.counted.users], ["revoked", 6]);
  });

  it("is recovering while users are expected back", () => {
    const recovering = countedWith({ state: "recovering", expected: 9 });
    assert.equal(after(recovering).status, "recovering");
    assert.equal(after(recovering, counted(9, 20)).status, "live");
    assert.equal(after(recovering, { type: "tick", at: 60_000 }).status, "outdated");
  });

  it("is stale while the server says so, and may be outdated then", () => {
    const stale = countedWith({ state: "stale", since: 3 });
    assert.equal(after(stale).status, "stale");
    assert.equal(after(stale, counted(9, 20)).status, "live");
    assert.equal(after(stale, { type: "silent", at: 20 }).status, "reconnecting");
    assert.equal(after(stale, { type: "tick", at: 60_000 }).status, "outdated");
  });

  it("is reconnecting when the server is silent", () => {
    assert.equal(after(counted(6, 0), { type: "silent", at: 10_000 }).status, "reconnecting");
  });

  it("is offline until a count arrives that was not under way", () => {
    const offline = [counted(6, 0), { type: "offline", at: 5_000 }] satisfies WallboardEvent[];
    assert.equal(after(...offline, counted(7, 6_999)).status, "offline");
    assert.equal(after(...offline, counted(7, 7_000)).status, "live");
    assert.equal(after(...offline, { type: "tick", at: 99_000 }).status, "offline");
    assert.equal(after(...offline, { type: "online", at: 9_000 }).status, "reconnecting");
  });

  it("is the same object when nothing changed", () => {
    const live = after(counted(6, 0));
    assert.equal(reduceWallboard(live, { type: "tick", at: 1 }), live);
  });
});

/** Four minutes in place of an hour: the second was not measured, and the last is that of the report. */
const hour: WallboardHour = {
  at: 190_000,
  startsAt: 0,
  most: [4, null, 6, 5],
  before: 3,
  peak: { users: 6, at: 130_000 },
  record: { users: 8, at: -1 },
};
const live = (users: number, at: number): UsersCounted => ({
  ...first,
  users,
  at,
});

describe("the last hour of a wallboard", () => {
  it("has the highest number of each minute, the one in which it is shown included", () => {
    assert.deepEqual(hourWith(hour, live(7, 200_000)).most, [4, null, 6, 7]);
    assert.deepEqual(hourWith(hour, live(2, 200_000)).most, [4, null, 6, 5]);
  });

  it("goes on a minute after the other, with a gap where the page heard nothing", () => {
    const next = hourWith(hour, live(2, 240_000));
    assert.deepEqual([next.startsAt, next.most], [60_000, [null, 6, 5, 2]]);
    assert.deepEqual(hourWith(hour, live(2, 420_000)).most, [null, null, null, 2]);
    assert.deepEqual(hourWith(hour, live(2, 9_000_000)).most, [null, null, null, 2]);
  });

  it("has no number that is not certain, and none of before it", () => {
    for (const state of ["recovering", "stale"] as const) {
      const freshness = { state, expected: 9, since: 0 } as Freshness;
      assert.equal(hourWith(hour, { ...live(99, 200_000), freshness }), hour);
    }
    assert.equal(hourWith(hour, live(99, 179_999)), hour);
  });

  it("has the peak of the day and the record, which a count can break", () => {
    const { peak, record } = hourWith(hour, live(7, 200_000));
    assert.deepEqual([peak, record], [{ users: 7, at: 200_000 }, hour.record]);
    const broken = hourWith(hour, live(9, 200_000));
    assert.deepEqual([broken.peak, broken.record], [
      { users: 9, at: 200_000 },
      { users: 9, at: 200_000 },
    ]);
  });

  const shown = (...events: WallboardEvent[]) =>
    events.reduce(reduceWallboard, initialWallboard(live(5, 190_000), 0, hour));
  const at = (users: number, at: number): WallboardEvent => ({
    type: "counted",
    counted: live(users, at),
    at,
  });

  it("tells of a record once, while it grows, and again a minute later", () => {
    assert.equal(shown(at(8, 200_000)).records, 0);
    const growing = [at(9, 200_000), at(10, 201_000), at(11, 259_000)];
    assert.equal(shown(...growing).records, 1);
    assert.equal(shown(...growing, at(12, 320_000)).records, 2);
    const known = { type: "hour", hour: { ...hour, record: { users: 20, at: 260_000 } } } as const;
    assert.equal(shown(known).records, 1);
    assert.equal(shown(at(9, 200_000), { type: "hour", hour }).hour?.record?.users, 9);
  });

  it("tells the change in five minutes of a number that is certain, and not of an old report", () => {
    assert.equal(changeOf(shown()), null, "not connected yet");
    assert.equal(changeOf(shown(at(5, 200_000))), 2);
    assert.equal(changeOf(shown(at(5, 200_000), { type: "dropped", at: 200_001 })), null);
    assert.equal(changeOf(shown(at(5, 310_000))), null);
    const before = null;
    assert.equal(
      changeOf(shown({ type: "hour", hour: { ...hour, before } }, at(5, 200_000))),
      null,
    );
  });

  it("is drawn with its gaps, and with a mark where one minute was measured", () => {
    assert.deepEqual(pathsOf([4, 2, null, 8, null, 0, 8]), {
      line: "M0 52L1 76M2.5 4L3 4M5 100L6 4",
      area: "M0 100L0 52L1 76L1 100ZM2.5 100L2.5 4L3 4L3 100ZM5 100L5 100L6 4L6 100Z",
    });
    assert.deepEqual(pathsOf([null, null]), { line: "", area: "" });
  });
});

describe("a wallboard that was refused", () => {
  let time: FakeTime;
  /** What the page's address answers next. */
  let status: number | null;
  let asked: number;
  let reloads: number;
  let events: string[];
  let refused: () => void;

  beforeEach(() => {
    time = new FakeTime();
    [asked, reloads, events] = [0, 0, []];
    const page = {
      report: ({ type }: { type: string }) => void events.push(type),
      statusOfPage: () => {
        asked++;
        return Promise.resolve(status);
      },
      reload: () => void reloads++,
    };
    refused = refusalHandler(page, () => 1);
  });
  afterEach(() => time.restore());

  it("whose link was revoked says so, and does not reload", async () => {
    status = 404;
    refused();
    await time.tickAsync(600_000);
    assert.deepEqual(events, ["dropped", "revoked"]);
    assert.equal(reloads, 0);
  });

  it("whose address is still there reloads after a while", async () => {
    status = 200;
    refused();
    await time.tickAsync(14_000);
    assert.equal(reloads, 0);
    await time.tickAsync(1_000);
    assert.equal(reloads, 1);
    assert.deepEqual(events, ["dropped"]);
  });

  for (const failure of [null, 503]) {
    it(`asks again and again while the answer is ${failure}, less and less often`, async () => {
      status = failure;
      refused();
      for (const [index, seconds] of [1, 2, 4, 8, 15].entries()) {
        await time.tickAsync(0);
        assert.equal(asked, index + 1);
        await time.tickAsync(seconds * 1_000 - 1);
        assert.equal(asked, index + 1);
        await time.tickAsync(1);
      }
      assert.equal(reloads, 0);
      status = 404;
      await time.tickAsync(15_000);
      assert.deepEqual(events, ["dropped", "revoked"]);
    });
  }

  it("asks once, however often it is refused", async () => {
    status = 200;
    for (let time = 0; time < 5; time++) refused();
    await time.tickAsync(15_000);
    assert.equal(asked, 1);
    assert.equal(reloads, 1);
  });
});
