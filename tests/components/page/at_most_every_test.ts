import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { FakeTime } from "@std/testing/time";
import { atMostEvery } from "@/components/page/at_most_every.ts";

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
