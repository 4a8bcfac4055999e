import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { FakeTime } from "@std/testing/time";
import { atMostEvery } from "@/components/page/at_most_every.ts";
import { holdBackMs } from "@/components/page/timing.ts";
import { FirstNumber } from "@/components/page/first_number.ts";

describe("a function that is limited to one run in 100 ms", () => {
  it("runs at the first call and then once in 100 ms, also for the last of many calls", () => {
    using time = new FakeTime();
    const start = Date.now();
    const done: number[] = [];
    const call = atMostEvery(100, () => done.push(Date.now() - start));
    for (let calls = 0; calls < 25; calls++) {
      call();
      time.tick(10);
    }
    time.tick(1_000);
    assert.deepEqual(done, [0, 100, 200, 300]);
    call();
    assert.equal(done.length, 5);
  });

  it("waits no longer than 100 ms after the clock is set back", () => {
    let done = 0;
    const call = atMostEvery(100, () => done++);
    {
      using _before = new FakeTime(900_000);
      call();
    }
    using time = new FakeTime(0);
    call();
    time.tick(99);
    assert.equal(done, 1);
    time.tick(1);
    assert.equal(done, 2);
  });
});

it("a value is held back for the rest of the interval since the last change", () => {
  assert.equal(holdBackMs(null, 1_000, 5_000), 0);
  assert.equal(holdBackMs(1_000, 2_000, 5_000), 4_000);
  assert.equal(holdBackMs(1_000, 60_000, 5_000), 0);
});

/** Whether what waits for the number goes on. */
async function goesOn(number: FirstNumber, time: FakeTime): Promise<boolean> {
  let isShown = false;
  void number.shown().then(() => isShown = true);
  await time.tickAsync(0);
  return isShown;
}

describe("what waits for the first number of a page", () => {
  it("goes on when the number arrived", async () => {
    using time = new FakeTime();
    const number = new FirstNumber();
    number.expect();
    assert.equal(await goesOn(number, time), false);
    number.arrived();
    assert.equal(await goesOn(number, time), true);
  });

  it("goes on after a second, when the number does not arrive", async () => {
    using time = new FakeTime();
    const number = new FirstNumber();
    number.expect();
    await time.tickAsync(999);
    assert.equal(await goesOn(number, time), false);
    await time.tickAsync(1);
    assert.equal(await goesOn(number, time), true);
  });

  it("does not wait on a page that expects no number", async () => {
    using time = new FakeTime();
    const number = new FirstNumber();
    number.arrived();
    assert.equal(await goesOn(number, time), true);
  });
});
