import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { sendEvent, triggerBatch, triggerEvent } from "@/realtime/api/events.ts";
import { type PublishedEvent, RealtimeServer } from "@/realtime/server.ts";
import { app as config } from "../harness.ts";

describe("listening to the events that are published to a channel", () => {
  const realtime = new RealtimeServer({ apps: [config] });
  const [app] = realtime.apps;
  const api = realtime.appApi(config.id)!;
  const event = { name: "a", data: "1", channel: "news" };

  it("gets the event, its data as clients receive it and who published it, without subscribers too", async () => {
    const heard: PublishedEvent[] = [];
    const stop = app.listeners.published.add("news", (event) => heard.push(event));
    await triggerEvent(api, JSON.stringify(event));
    await triggerBatch(api, JSON.stringify({ batch: [{ ...event, name: "b" }] }));
    sendEvent(api, { ...event, name: "c" });
    app.publish("news", "d", { x: 1 });
    app.publish("other", "e", {});
    stop();
    app.publish("news", "f", {});
    assert.deepEqual(heard, [
      { name: "a", data: "1", from: "api" },
      { name: "b", data: "1", from: "api" },
      { name: "c", data: "1", from: "server" },
      { name: "d", data: '{"x":1}', from: "server" },
    ]);
    assert.equal(app.stats().listenedTo, 0, "none is left behind");
  });

  it("never keeps an event from its subscribers, even if the listener throws", () => {
    const stop = app.listeners.published.add("news", () => {
      throw new Error("of the test");
    });
    assert.doesNotThrow(() => app.publish("news", "a", {}));
    stop();
  });
});
