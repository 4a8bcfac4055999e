import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { app, Rig, until } from "../rig.ts";

describe("A subscription listener", () => {
  it("is called for every subscription that succeeds, until it unsubscribes", async () => {
    await using rig = new Rig();
    const heard: string[] = [];
    const stop = rig.realtime.onSubscription((channel, { id }) => heard.push(`${id} ${channel}`));
    const one = await rig.connect();
    const other = await rig.connect();
    for (const client of [one, other]) {
      client.subscribe("news");
      client.send("pusher:subscribe", { channel: "private-news", auth: "wrong" });
      await client.settled();
    }
    await rig.member("ann");
    const expected = ["news", "news", "presence-room"].map((channel) => `${app.id} ${channel}`);
    await until(() => heard.length === 3);
    assert.deepEqual(heard, expected);
    stop();
    one.subscribe("more");
    await one.settled();
    assert.deepEqual(heard, expected);
  });

  it("that throws does not affect the connection", async () => {
    await using rig = new Rig();
    rig.realtime.onSubscription(() => {
      throw new Error("a fault of the listener");
    });
    const client = await rig.connect();
    client.subscribe("news");
    await client.next("pusher_internal:subscription_succeeded");
    assert.equal(rig.logged.length, 1);
  });
});
