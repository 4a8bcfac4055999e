import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { outboxId } from "@/realtime/webhooks/outbox.ts";
import {
  type Batch,
  type WebhookFailure,
  WebhookQueue,
} from "@/realtime/webhooks/webhook_queue.ts";
import { defaultWebhookLimits, type WebhookLimits } from "@/realtime/webhooks/webhook_options.ts";

function queueWith(limits: Partial<WebhookLimits> = {}, random = () => 0): WebhookQueue {
  let ids = 0;
  const begin = () => ({ id: outboxId(1_000, ids++), acceptedAt: 1_000 });
  return new WebhookQueue({ ...defaultWebhookLimits, ...limits }, random, begin);
}

function queueOf(...events: string[]): WebhookQueue {
  const queue = queueWith({ maxBatchEvents: 1 });
  for (const event of events) queue.add(event, 0);
  return queue;
}

const textOf = (batch: Batch | undefined) => batch?.text;

const outcome = fc.constantFrom<"delivered" | WebhookFailure>(
  "delivered",
  "delivered",
  "refused",
  "unavailable",
);
const plan = fc.array(fc.record({ events: fc.nat(5), outcome, waitMs: fc.nat(5_000) }));

describe("WebhookQueue", () => {
  it("collects events for 50 ms, in Pusher's form", () => {
    const queue = queueWith();
    queue.add('{"n":1}', 0);
    queue.add('{"n":2}', 49);
    assert.equal(queue.wakeAt, 50);
    assert.equal(queue.next(49), undefined);
    assert.equal(queue.next(50)?.body, '{"time_ms":1000,"events":[{"n":1},{"n":2}]}');
  });

  it("fills a batch with at most 100 events or 64 KB, unless one event is larger", () => {
    const queue = queueWith();
    for (let n = 0; n < 201; n++) queue.add("1", 0);
    assert.deepEqual(queue.batches.map(({ events }) => events), [100, 100, 1]);
    assert.equal(queue.next(0)?.events, 100);
    const large = queueWith();
    for (const length of [40_000, 30_000, 100_000, 1]) large.add("x".repeat(length), 0);
    assert.deepEqual(large.batches.map(({ bytes }) => bytes), [40_000, 30_000, 100_000, 1]);
    assert.equal(textOf(large.next(0))?.length, 40_000);
  });

  it("adds no event to a batch that was sent or saved", () => {
    const queue = queueWith();
    queue.add("1", 0);
    const sent = queue.next(50);
    queue.add("2", 50);
    assert.equal(sent?.text, "1");
    assert.deepEqual(queue.batches.map(({ text }) => text), ["1", "2"]);
  });

  it("sends a batch that was saved while it was collected before those behind it", () => {
    const queue = queueWith({ maxBatchEvents: 2 });
    queue.add("1", 0);
    const [saved] = queue.batches;
    saved.sealed = saved.saved = true;
    for (const event of ["2", "3"]) queue.add(event, 10);
    assert.equal(textOf(queue.next(10)), "1");
  });

  it("refuses events for which there is no room, by number and by bytes", () => {
    const byNumber = queueWith({ maxQueuedEvents: 2 });
    assert.deepEqual(["1", "2", "3"].map((event) => byNumber.add(event, 0)), [true, true, false]);
    const byBytes = queueWith({ maxQueuedBytes: 4 });
    assert.deepEqual(["ää", "1"].map((event) => byBytes.add(event, 0)), [true, false]);
    byBytes.delivered(byBytes.batches[0]);
    assert.ok(byBytes.add("1", 0));
  });

  for (
    const [what, limits] of [["number", { maxQueuedEvents: 4 }], ["bytes", {
      maxQueuedBytes: 4,
    }]] as const
  ) {
    it(`has room for events of public channels up to their share, by ${what}, and again after a delivery`, () => {
      const queue = queueWith({ ...limits, publicShare: 0.5 });
      const addPublic = (event: string) => queue.add(event, 0, true);
      assert.deepEqual(["1", "2", "3"].map(addPublic), [true, true, false]);
      assert.deepEqual(["4", "5"].map((event) => queue.add(event, 0)), [true, true]);
      queue.delivered(queue.next(50)!);
      assert.deepEqual(["1", "2", "3"].map(addPublic), [true, true, false]);
    });
  }

  it("retries the first batch after waits that double, while the receiver is unavailable", () => {
    const queue = queueOf("1", "2");
    const waits: number[] = [];
    let now = 0;
    for (let attempt = 0; attempt < 8; attempt++) {
      const batch = queue.next(now)!;
      assert.equal(batch.text, "1");
      queue.failed(batch, "unavailable", now);
      assert.equal(queue.next(queue.wakeAt! - 1), undefined);
      waits.push(queue.wakeAt! - now);
      now = queue.wakeAt!;
    }
    // With the least of the jitter; with the most it is twice as long.
    assert.deepEqual(waits, [500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000]);
    queue.delivered(queue.next(now)!);
    assert.equal(textOf(queue.next(now)), "2");
  });

  it("starts with the first wait again after a delivery", () => {
    const queue = queueOf("1", "2");
    for (const now of [0, 500]) queue.failed(queue.next(now)!, "unavailable", now);
    queue.delivered(queue.next(1_500)!);
    queue.failed(queue.next(1_500)!, "unavailable", 1_500);
    assert.equal(queue.wakeAt, 2_000);
  });

  it("waits a random time from half to all of the longest wait", () => {
    const waitWith = (random: number) => {
      const queue = queueWith({}, () => random);
      queue.add("1", 0);
      queue.failed(queue.next(50)!, "unavailable", 0);
      return queue.wakeAt;
    };
    assert.deepEqual([0, 0.5, 0.999].map(waitWith), [500, 750, 999.5]);
  });

  it("sends later batches before it retries one that was refused", () => {
    const queue = queueOf("bad", "2", "3");
    queue.failed(queue.next(0)!, "refused", 0);
    for (const expected of ["2", "3"]) {
      const batch = queue.next(0)!;
      assert.equal(batch.text, expected);
      queue.delivered(batch);
    }
    assert.deepEqual([queue.next(499), queue.wakeAt], [undefined, 500]);
    assert.equal(textOf(queue.next(500)), "bad");
  });

  it("waits longer and longer for a receiver that refuses everything", () => {
    const queue = queueOf(..."123456789");
    let attempts = 0;
    for (let now = 0; now < 120_000; now = Math.max(now + 1, queue.wakeAt!)) {
      const batch = queue.next(now);
      if (batch) queue.failed(batch, "refused", now);
      if (batch) attempts++;
    }
    assert.ok(attempts <= 14, `${attempts} attempts in two minutes`);
  });

  it("gives up a batch five minutes after its acceptance, sent or not", () => {
    const queue = queueOf("1");
    queue.add("2", 1_000);
    queue.failed(queue.next(299_000)!, "unavailable", 299_000);
    assert.deepEqual(queue.expire(299_999), []);
    assert.deepEqual(queue.expire(300_000).map(textOf), ["1"]);
    assert.deepEqual(queue.expire(301_000).map(textOf), ["2"]);
    assert.deepEqual([queue.events, queue.bytes, queue.wakeAt], [0, 0, undefined]);
  });

  it("sends restored batches before new ones, with their age", () => {
    const queue = queueWith({ maxQueuedEvents: 4 });
    const saved = { id: "1", appId: "1", webhook: "x", acceptedAt: 7, bytes: 3, count: 2 };
    assert.ok(queue.restore(saved, 0, 299_000));
    queue.add("3", 0);
    const batch = queue.next(0)!;
    assert.deepEqual(queue.unread(batch), [batch]);
    batch.load("1,2");
    assert.equal(batch.body, '{"time_ms":7,"events":[1,2]}');
    assert.equal(queue.restore({ ...saved, id: "2" }, 0, 0), false);
    queue.failed(batch, "unavailable", 0);
    assert.deepEqual(queue.expire(1_000).map(({ events }) => events), [2]);
  });

  it("loses, repeats and miscounts nothing under any failures, and keeps the order while unavailable", () => {
    fc.assert(fc.property(plan, fc.boolean(), (steps, mayRefuse) => {
      const queue = queueWith({ maxBatchEvents: 3 }, Math.random);
      const arrived: number[] = [];
      let [now, given] = [0, 0];
      const attempt = (result: "delivered" | WebhookFailure) => {
        const batch = queue.next(now);
        if (!batch) return;
        if (result === "refused" && !mayRefuse) result = "unavailable";
        if (result !== "delivered") return queue.failed(batch, result, now);
        arrived.push(...batch.text.split(",").map(Number));
        queue.delivered(batch);
      };
      for (const step of steps) {
        for (let n = 0; n < step.events; n++) queue.add(String(given++), now);
        attempt(step.outcome);
        assert.equal(queue.events, given - arrived.length);
        now += step.waitMs;
      }
      // Each attempt that is due delivers at least one event.
      for (let attempts = 0; attempts <= given && queue.events > 0; attempts++) {
        attempt("delivered");
        now = Math.max(now, queue.wakeAt ?? 0);
      }
      const all = Array.from({ length: given }, (_, n) => n);
      if (mayRefuse) arrived.sort((one, other) => one - other);
      assert.deepEqual(arrived, all);
      assert.deepEqual([queue.bytes, queue.wakeAt], [0, undefined]);
    }));
  });
});
