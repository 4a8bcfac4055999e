import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { WriteQueue } from "@/server/database/write_queue.ts";
import { ManualClock } from "../../realtime/manual_clock.ts";
import { settled } from "../../fixtures/eventually.ts";

/** A queue whose writes wait until the test settles them. */
function queue(capacity = 10) {
  const clock = new ManualClock();
  const writes: { items: number[]; done: () => void; fail: () => void }[] = [];
  const failures: unknown[] = [];
  const queue = new WriteQueue<number>({
    write(items) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      writes.push({ items: [...items], done: resolve, fail: () => reject(new Error("busy")) });
      return promise;
    },
    failed: (error) => failures.push(error),
    clock,
    batchSize: 3,
    capacity,
    delayMs: 1_000,
  });
  const written = () => writes.map(({ items }) => items);
  return { clock, writes, written, failures, queue };
}

describe("a write queue", () => {
  it("stores items within its delay, in order and in batches", async () => {
    const { clock, writes, written, queue: items } = queue();
    for (const item of [1, 2, 3, 4]) items.add(item);
    clock.advance(999);
    assert.deepEqual(written(), []);
    clock.advance(1);
    items.add(5);
    assert.deepEqual(written(), [[1, 2, 3]]);
    assert.deepEqual(items.waiting, [1, 2, 3, 4, 5]);
    writes[0].done();
    await settled();
    assert.deepEqual(written(), [[1, 2, 3], [4, 5]]);
    writes[1].done();
    await settled();
    assert.deepEqual([items.waiting, clock.timers], [[], 0]);
  });

  it("retries with growing delays of up to 30 seconds", async () => {
    const { clock, writes, written, failures, queue: items } = queue();
    items.add(1);
    for (const seconds of [1, 2, 4, 8, 16, 30, 30]) {
      clock.advance(seconds * 1_000 - 1);
      const before = writes.length;
      clock.advance(1);
      assert.equal(writes.length, before + 1);
      writes.at(-1)!.fail();
      await settled();
    }
    assert.equal(failures.length, 7);
    clock.advance(30_000);
    writes.at(-1)!.done();
    await settled();
    items.add(2);
    clock.advance(1_000);
    assert.deepEqual(written().at(-1), [2]);
    writes.at(-1)!.done();
    await items.stop();
  });

  it("drops the oldest items beyond its capacity, except those being written", async () => {
    const { clock, writes, queue: items } = queue(4);
    for (const item of [1, 2, 3, 4, 5]) items.add(item);
    assert.deepEqual([items.waiting, items.lost], [[2, 3, 4, 5], 1]);
    clock.advance(1_000);
    for (const item of [6, 7, 8, 9]) items.add(item);
    assert.deepEqual([items.waiting, items.lost], [[2, 3, 4, 6, 7, 8, 9], 2]);
    writes[0].fail();
    await settled();
    assert.deepEqual([items.waiting, items.lost], [[6, 7, 8, 9], 5]);
    const stopped = items.stop();
    writes[1].done();
    await settled();
    writes[2].done();
    await stopped;
    assert.deepEqual(items.waiting, []);
  });

  it("stops after the current and one further attempt", async () => {
    const { clock, writes, written, queue: items } = queue();
    items.add(1);
    clock.advance(1_000);
    items.add(2);
    const stopped = items.stop();
    assert.deepEqual(written(), [[1]]);
    writes[0].fail();
    await settled();
    assert.deepEqual(written(), [[1], [1, 2]]);
    writes[1].fail();
    await stopped;
    assert.deepEqual([items.waiting, clock.timers], [[1, 2], 0]);
    items.add(3);
    assert.equal(clock.timers, 0);
  });
});
