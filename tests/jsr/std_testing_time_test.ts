import { describe, it } from "@std/testing/bdd";
import { FakeTime, TimeError } from "@std/testing/time";
import assert from "node:assert/strict";

describe("FakeTime of @std/testing/time", () => {
  it("stops the clock until the test moves it", () => {
    using time = new FakeTime("2026-01-02T03:04:05Z");
    assert.equal(new Date().toISOString(), "2026-01-02T03:04:05.000Z");
    time.tick(1_500);
    assert.equal(Date.now(), time.start + 1_500);
    assert.equal(new Date(0).valueOf(), 0);
    assert.ok(new Date() instanceof Date);
  });

  it("fires timers in the order that they are due, at their own time", () => {
    using time = new FakeTime(0);
    const fired: [string, number][] = [];
    const note = (name: string) => fired.push([name, Date.now()]);
    setTimeout(note, 200, "late");
    setTimeout(() => setTimeout(note, 50, "nested"), 100);
    const interval = setInterval(note, 90, "interval");
    time.tick(200);
    clearInterval(interval);
    time.tick(1_000);
    assert.deepEqual(fired, [["interval", 90], ["nested", 150], [
      "interval",
      180,
    ], ["late", 200]]);
  });

  it("fires timers that are due together in the order that they were set", () => {
    using time = new FakeTime(0);
    const fired: number[] = [];
    for (const number of [1, 2, 3]) setTimeout(() => fired.push(number), 10);
    time.tick(10);
    assert.deepEqual(fired, [1, 2, 3]);
  });

  it("does not fire a timer that was cleared", () => {
    using time = new FakeTime();
    clearTimeout(setTimeout(() => assert.fail("fired"), 10));
    time.tick(10);
  });

  it("advances to the next timer with next", async () => {
    using time = new FakeTime(0);
    let fired = 0;
    setTimeout(() => fired++, 300);
    assert.equal(time.next(), true);
    assert.deepEqual([fired, time.now], [1, 300]);
    assert.equal(await time.nextAsync(), false);
  });

  it("runs microtasks before it moves the time", async () => {
    using time = new FakeTime();
    let fired = false;
    Promise.resolve().then(() => setTimeout(() => fired = true, 10));
    await time.tickAsync(10);
    assert.equal(fired, true);
  });

  it("refuses a change of Date, which would outlive it", () => {
    const { now } = Date;
    using _time = new FakeTime(0);
    assert.throws(() => Date.now = () => 1, TimeError);
    assert.throws(() => Object.assign(Date, { now: () => 1 }), TimeError);
    FakeTime.restore();
    assert.equal(Date.now, now);
    assert.ok(Date.now() > 1);
  });

  it("restores the real clock, and throws for a second clock or a past time", async () => {
    const realDate = Date;
    const time = new FakeTime(0);
    assert.throws(() => new FakeTime(), TimeError);
    assert.throws(() => time.now = -1, RangeError);
    time.restore();
    assert.equal(Date, realDate);
    assert.throws(() => time.restore(), TimeError);
    await new Promise((resolve) => setTimeout(resolve, 1));
  });
});
