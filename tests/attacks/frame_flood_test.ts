import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { closeWhenQuiet } from "@/realtime/connections/closing.ts";
import { withTimeout } from "../fixtures/with_timeout.ts";
import { ManualClock } from "../realtime/manual_clock.ts";
import { Harness } from "../realtime/harness.ts";

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
