import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { app, Harness, until } from "../harness.ts";

describe("A subscription listener", () => {
  it("is called for every subscription that succeeds, until it unsubscribes", async () => {
    await using harness = new Harness();
    const heard: string[] = [];
    const stop = harness.realtime.onSubscription((channel, { id }) =>
      heard.push(`${id} ${channel}`)
    );
    const one = await harness.connect();
    const other = await harness.connect();
    for (const client of [one, other]) {
      client.subscribe("news");
      client.send("pusher:subscribe", { channel: "private-news", auth: "wrong" });
      await client.settled();
    }
    await harness.member("ann");
    const expected = ["news", "news", "presence-room"].map((channel) => `${app.id} ${channel}`);
    await until(() => heard.length === 3);
    assert.deepEqual(heard, expected);
    stop();
    one.subscribe("more");
    await one.settled();
    assert.deepEqual(heard, expected);
  });

  it("that throws does not affect the connection", async () => {
    await using harness = new Harness();
    harness.realtime.onSubscription(() => {
      throw new Error("a fault of the listener");
    });
    const client = await harness.connect();
    client.subscribe("news");
    await client.next("pusher_internal:subscription_succeeded");
    assert.equal(harness.logged.length, 1);
  });
});
