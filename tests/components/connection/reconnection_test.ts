import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { FakeTime } from "@std/testing/time";
import { reconnectSooner, retryDelayMs } from "@/components/connection/reconnection.ts";
import { FakePusher } from "./fake_pusher.ts";

describe("connecting again", () => {
  let time: FakeTime;
  let pusher: FakePusher;

  beforeEach(() => {
    time = new FakeTime();
    pusher = new FakePusher();
  });
  afterEach(() => time.restore());

  it("restarts an attempt that does not succeed, with longer and longer waits", () => {
    reconnectSooner(pusher, () => 1);
    for (const seconds of [4, 8, 15, 15, 15]) {
      const before = pusher.attempts;
      time.tick(seconds * 1_000 - 1);
      assert.equal(pusher.attempts, before);
      time.tick(1);
      assert.equal(pusher.attempts, before + 1);
    }
    pusher.enter("connected");
  });

  it("leaves an open connection alone, and starts with short waits after the next loss", () => {
    reconnectSooner(pusher, () => 1);
    time.tick(12_000);
    pusher.enter("connected");
    const before = pusher.attempts;
    time.tick(600_000);
    assert.equal(pusher.attempts, before);
    pusher.enter("connecting");
    time.tick(4_000);
    assert.equal(pusher.attempts, before + 1);
    pusher.enter("connected");
  });

  it("stops when the connection was closed for good", () => {
    reconnectSooner(pusher, () => 1);
    pusher.enter("disconnected");
    time.tick(600_000);
    assert.equal(pusher.attempts, 1);
  });

  it("distinguishes its own disconnects from others", () => {
    const isRestarting = reconnectSooner(pusher, () => 1);
    const told: boolean[] = [];
    pusher.connection.bind("disconnected", () => told.push(isRestarting()));
    time.tick(4_000);
    pusher.enter("disconnected");
    assert.deepEqual(told, [true, false]);
  });
});

describe("the delay before an attempt", () => {
  it("doubles from 1 s to 15 s, with jitter down to a half", () => {
    assert.equal(retryDelayMs(0, 0), 500);
    assert.equal(retryDelayMs(0, 1), 1_000);
    assert.equal(retryDelayMs(3, 1), 8_000);
    assert.equal(retryDelayMs(1_000, 1), 15_000);
  });
});
