import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { closeWhenQuiet } from "@/realtime/connections/closing.ts";
import { defaultWebhookLimits } from "@/realtime/webhooks/webhook_options.ts";
import { WebhookQueue } from "@/realtime/webhooks/webhook_queue.ts";
import { signChannel } from "@/realtime/protocol/signature.ts";
import { withTimeout } from "../fixtures/with_timeout.ts";
import { ManualClock } from "../realtime/manual_clock.ts";
import { app, Harness, until } from "../realtime/harness.ts";
import { WebhookHarness } from "../realtime/webhooks/harness.ts";

const floods: [what: string, frame: string][] = [
  ["faulty frames", "x".repeat(40)],
  ["valid frames over the rate", JSON.stringify({ event: "pusher:pong", data: {} })],
];

describe("A client that floods the server", () => {
  for (const [what, frame] of floods) {
    for (const frames of [600, 2_000, 5_000]) {
      it(`with ${frames} ${what} receives the error 4009 and the close code 4009`, async () => {
        await using harness = new Harness({ rules: { maxMessagesPerSecond: 10 } });
        const client = await harness.connect();
        const other = await harness.connect();
        for (let n = 0; n < frames; n++) client.sendRaw(frame);
        let code = null;
        while (code === null) code = (await client.next("pusher:error")).data.code;
        assert.equal(code, 4009);
        assert.equal((await withTimeout(client.closed, "the flood was closed")).code, 4009);
        assert.deepEqual(await other.settled(), []);
        const { errors } = harness.realtime.refusals();
        assert.equal(errors, 1);
      });
    }
  }

  it("without a pause is cut off, and leaves its channels before", async () => {
    await using harness = new Harness();
    const ann = await harness.member("ann");
    const mallory = await harness.member("mallory");
    const flood = setInterval(() => {
      for (let n = 0; n < 100; n++) mallory.sendRaw("x");
    }, 5);
    try {
      await withTimeout(mallory.closed, "the flood was closed");
    } finally {
      clearInterval(flood);
    }
    await ann.next("pusher_internal:member_removed");
  });
});

describe("The close of a client that floods", () => {
  it("waits until 50 ms have passed without a frame", () => {
    const clock = new ManualClock();
    let [frames, closes] = [0, 0];
    closeWhenQuiet(clock, () => frames, () => closes++);
    for (let n = 0; n < 5; n++) {
      frames++;
      clock.advance(50);
    }
    assert.equal(closes, 0);
    clock.advance(50);
    assert.equal(closes, 1);
    assert.equal(clock.timers, 0);
  });

  it("waits no longer than two seconds", () => {
    const clock = new ManualClock();
    let [frames, closes] = [0, 0];
    closeWhenQuiet(clock, () => frames++, () => closes++);
    clock.advance(2_000);
    assert.equal(closes, 1);
    assert.equal(clock.timers, 0);
  });

  it("is canceled when the client has gone", () => {
    const clock = new ManualClock();
    let [frames, closes] = [0, 0];
    const cancel = closeWhenQuiet(clock, () => frames++, () => closes++);
    clock.advance(200);
    cancel();
    clock.advance(10_000);
    assert.deepEqual([closes, clock.timers], [0, 0]);
  });
});

const limits = { ...defaultWebhookLimits, maxQueuedEvents: 20, maxQueuedBytes: 100 };

function newQueue(): WebhookQueue {
  let ids = 0;
  const begin = () => ({ id: String(ids++), acceptedAt: 0 });
  return new WebhookQueue(limits, () => 0, begin);
}

const step = fc.oneof(
  fc.record({
    add: fc.constant(true),
    isPublic: fc.boolean(),
    bytes: fc.integer({ min: 1, max: 20 }),
  }),
  fc.record({ add: fc.constant(false) }),
);

describe("The queue of a webhook", () => {
  it("never has more of public channels than their share, whatever is added and delivered", () => {
    fc.assert(fc.property(fc.array(step, { maxLength: 100 }), (steps) => {
      const queue = newQueue();
      let now = 0;
      for (const one of steps) {
        now += 1_000;
        if ("bytes" in one) queue.add("x".repeat(one.bytes), now, one.isPublic);
        else {
          const batch = queue.next(now);
          if (batch) queue.delivered(batch);
        }
        const ofPublic = (name: "publicEvents" | "publicBytes") =>
          queue.batches.reduce((sum, batch) => sum + batch[name], 0);
        assert.ok(ofPublic("publicEvents") <= 10 && ofPublic("publicBytes") <= 50);
      }
      for (const _ of [...queue.batches]) queue.delivered(queue.next(now += 1_000)!);
      assert.equal(queue.batches.length, 0);
      for (let n = 0; n < 10; n++) assert.ok(queue.add("xxxxx", now, true));
      assert.equal(queue.add("x", now, true), false);
      for (let n = 0; n < 10; n++) assert.ok(queue.add("xxxxx", now));
    }));
  });

  it("takes the events of signed channels when public ones have filled their share", async () => {
    await using harness = new WebhookHarness({
      rules: { webhooks: [{ url: "http://127.0.0.1/" }] },
      webhookOptions: {
        limits: { maxQueuedEvents: 100 },
        send: (_url, _app, _body, signal) =>
          new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
      },
    });
    const mallory = await harness.connect();
    for (let n = 0; n < 90; n++) mallory.subscribe(`flood-${n}`);
    await mallory.settled();
    assert.deepEqual(queued(harness), { queuedEvents: 50, dropped: 40 });
    const ann = await harness.connect();
    ann.subscribe("private-orders", signChannel(app, ann.socketId, "private-orders"));
    await ann.settled();
    await ann.joined("ann");
    await until(() => harness.webhooks.stats().queuedEvents === 53);
    assert.deepEqual(queued(harness), { queuedEvents: 53, dropped: 40 });
  });
});

function queued({ webhooks }: WebhookHarness): { queuedEvents: number; dropped: number } {
  const { queuedEvents, dropped } = webhooks.stats();
  return { queuedEvents, dropped: dropped.queueFull };
}
