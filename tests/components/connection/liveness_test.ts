import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { FakeTime } from "@std/testing/time";
import { askForLife } from "@/components/connection/connection_events.ts";
import { FakePusher } from "./fake_pusher.ts";

describe("a page that asks its server for a sign of life", () => {
  let time: FakeTime;
  let pusher: FakePusher;
  let page: { hidden: boolean; addEventListener(type: string, listener: () => void): void };
  let silences: number[];
  let look = () => {};

  beforeEach(() => {
    time = new FakeTime();
    pusher = new FakePusher();
    silences = [];
    page = { hidden: false, addEventListener: (_, listener) => look = listener };
    const start = Date.now();
    askForLife(pusher, () => silences.push(Date.now() - start), page);
    pusher.enter("connected");
    pusher.emit("message");
  });
  afterEach(() => time.restore());

  const frame = () => pusher.emit("message");

  it("asks after five quiet seconds, and not while frames arrive", () => {
    for (let second = 0; second < 20; second++) {
      time.tick(1_000);
      frame();
    }
    assert.deepEqual(pusher.sent, []);
    time.tick(5_000);
    assert.deepEqual(pusher.sent, ["pusher:ping"]);
  });

  it("notices a frozen server ten seconds after its last frame, once", () => {
    time.tick(60_000);
    assert.deepEqual(silences, [10_000]);
  });

  it("says nothing of a server that answers, and asks again", () => {
    for (let round = 0; round < 6; round++) {
      time.tick(5_000);
      time.tick(4_999);
      frame();
    }
    assert.deepEqual(silences, []);
    assert.ok(pusher.sent.length > 3);
  });

  it("goes on asking a server that was frozen for a while", () => {
    time.tick(12_000);
    frame();
    time.tick(10_000);
    assert.deepEqual(silences, [10_000, 22_000]);
  });

  it("does not ask while it is hidden, and asks at once when it is shown", () => {
    page.hidden = true;
    look();
    time.tick(60_000);
    assert.deepEqual([pusher.sent, silences], [[], []]);
    page.hidden = false;
    look();
    assert.deepEqual(pusher.sent, ["pusher:ping"]);
    time.tick(4_999);
    assert.deepEqual(silences, []);
    time.tick(1);
    assert.deepEqual(silences, [65_000]);
  });

  it("does not ask over a connection that is lost, and asks over the next one", () => {
    pusher.enter("connecting");
    time.tick(30_000);
    assert.deepEqual([pusher.sent, silences], [[], []]);
    pusher.enter("connected");
    frame();
    time.tick(10_000);
    assert.deepEqual(silences, [40_000]);
  });
});
