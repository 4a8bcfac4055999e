import assert from "node:assert/strict";
import { FakeTime } from "@std/testing/time";
import { atMostEvery } from "../../../browser/page/at_most_every.ts";

Deno.test("what is called often is done at once, then once in a while, the last call included", () => {
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

Deno.test("a clock that is set back delays nothing for long", () => {
  using time = new FakeTime();
  let done = 0;
  const call = atMostEvery(100, () => done++);
  call();
  const { now } = Date;
  Date.now = () => now() - 900_000;
  try {
    call();
    time.tick(100);
  } finally {
    Date.now = now;
  }
  assert.equal(done, 2);
});
