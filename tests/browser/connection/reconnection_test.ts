import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { FakeTime } from "@std/testing/time";
import { reconnectSooner } from "../../../browser/connection/reconnection.ts";

/** Stands in for pusher-js: tells its states, and counts the attempts to connect. */
class FakePusher {
  attempts = 1;
  #listeners: { event: string; callback: () => void }[] = [];
  connection = {
    state: "connecting",
    bind: (event: string, callback: () => void) => this.#listeners.push({ event, callback }),
  };

  enter(state: string) {
    this.connection.state = state;
    for (const { event, callback } of this.#listeners) if (event === state) callback();
  }

  connect() {
    this.attempts++;
    this.enter("connecting");
  }

  disconnect() {
    this.enter("disconnected");
  }
}

describe("connecting again", () => {
  let time: FakeTime;
  let pusher: FakePusher;

  beforeEach(() => {
    time = new FakeTime();
    pusher = new FakePusher();
  });
  afterEach(() => time.restore());

  it("starts anew when the first attempt does not succeed, later and later", () => {
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

  it("leaves a connection alone, and begins with short waits after the next drop", () => {
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

  it("stops when the connection was ended for good", () => {
    reconnectSooner(pusher, () => 1);
    pusher.enter("disconnected");
    time.tick(600_000);
    assert.equal(pusher.attempts, 1);
  });

  it("tells its own disconnecting from that of others", () => {
    const isStartingAnew = reconnectSooner(pusher, () => 1);
    const told: boolean[] = [];
    pusher.connection.bind("disconnected", () => told.push(isStartingAnew()));
    time.tick(4_000);
    pusher.enter("disconnected");
    assert.deepEqual(told, [true, false]);
  });
});
