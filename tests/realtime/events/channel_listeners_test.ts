import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { ChannelListeners } from "@/realtime/events/listeners.ts";

const counts = () => ({ users: 1, connections: 1 });

describe("ChannelListeners", () => {
  it("keeps a listener when another one unsubscribes twice", () => {
    const listeners = new ChannelListeners((error) => assert.fail(String(error)));
    let calls = 0;
    const stop = listeners.add("presence-room", () => {});
    stop();
    listeners.add("presence-room", () => calls++);
    stop();
    listeners.emit("presence-room", counts);
    assert.deepEqual([calls, listeners.size], [1, 1]);
  });

  it("keeps a function that was added twice until both have unsubscribed", () => {
    const listeners = new ChannelListeners((error) => assert.fail(String(error)));
    let calls = 0;
    const stops = [0, 1].map(() => listeners.add("presence-room", () => calls++));
    stops[0]();
    stops[0]();
    listeners.emit("presence-room", counts);
    assert.equal(calls, 1);
    stops[1]();
    assert.equal(listeners.size, 0);
  });
});
