import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import type { ServerEvent } from "@/realtime/server.ts";
import { signChannel } from "@/realtime/protocol/signature.ts";
import { app, Harness, type HarnessOptions, until } from "../harness.ts";

function listening(options: HarnessOptions = {}): { harness: Harness; heard: ServerEvent[] } {
  const harness = new Harness(options);
  const heard: ServerEvent[] = [];
  harness.realtime.onServerEvent((event, { id }) => {
    assert.equal(id, app.id);
    heard.push(event);
  });
  return { harness, heard };
}

describe("Server events", () => {
  it("report a channel as occupied by its first subscriber and vacated by its last", async () => {
    const { harness, heard } = listening();
    await using _ = harness;
    const [one, other] = [await harness.connect(), await harness.connect()];
    for (const client of [one, other]) {
      client.subscribe("news");
      await client.settled();
    }
    other.send("pusher:unsubscribe", { channel: "news" });
    await other.settled();
    assert.deepEqual(heard.splice(0), [{ name: "channel_occupied", channel: "news" }]);
    one.close();
    await until(() => heard.length > 0);
    assert.deepEqual(heard, [{ name: "channel_vacated", channel: "news" }]);
  });

  it("report a member as added by its first connection and removed by its last, within its channel", async () => {
    const { harness, heard } = listening();
    await using _ = harness;
    const tabs = [await harness.member("ann"), await harness.member("ann")];
    for (const tab of tabs) tab.close();
    await until(() => harness.realtime.stats().connections === 0);
    const member = { id: "ann", info: `{"id":"ann"}`, profile: undefined };
    const ann = { userId: "ann", member };
    assert.deepEqual(heard, [
      { name: "channel_occupied", channel: "presence-room" },
      { name: "member_added", channel: "presence-room", ...ann },
      { name: "member_removed", channel: "presence-room", ...ann, reason: "closed" },
      { name: "channel_vacated", channel: "presence-room" },
    ]);
  });

  it("do not report a user who returns within the leave grace", async () => {
    const { harness, heard } = listening({ presenceGraceMs: 60_000 });
    await using _ = harness;
    const client = await harness.member("ann");
    heard.length = 0;
    client.close();
    await until(() => harness.realtime.stats().leaving === 1);
    await harness.member("ann");
    assert.deepEqual(heard, []);
  });

  it("report client events, cache misses and subscription counts as they are sent", async () => {
    const { harness, heard } = listening({
      rules: { clientEvents: true, subscriptionCount: true },
    });
    await using _ = harness;
    const client = await harness.connect();
    const channel = "private-cache-a";
    client.subscribe(channel, signChannel(app, client.socketId, channel));
    client.sendRaw(JSON.stringify({ event: "client-typing", channel, data: { n: 1 } }));
    client.joinAs("ann");
    const onPresence = { event: "client-wave", channel: "presence-room", user_id: "forged" };
    client.sendRaw(JSON.stringify(onPresence));
    client.sendRaw(JSON.stringify({ event: "client-refused", channel: "elsewhere" }));
    await client.settled();
    const { socketId } = client;
    assert.deepEqual(heard.filter(({ name }) => !/occupied|added/.test(name)), [
      { name: "cache_miss", channel },
      { name: "subscription_count", channel, count: 1 },
      {
        name: "client_event",
        channel,
        event: "client-typing",
        data: { n: 1 },
        socketId,
        userId: undefined,
      },
      {
        name: "client_event",
        channel: "presence-room",
        event: "client-wave",
        data: undefined,
        socketId,
        userId: "ann",
      },
    ]);
  });

  it("report every departure at the end of a drain, of users in their leave grace too", async () => {
    const { harness, heard } = listening({ presenceGraceMs: 60_000 });
    await using _ = harness;
    const [ann, visitor] = [await harness.member("ann"), await harness.connect()];
    visitor.subscribe("news");
    await visitor.settled();
    ann.close();
    await until(() => harness.realtime.stats().leaving === 1);
    heard.length = 0;
    await harness.realtime.drain(0);
    assert.deepEqual(heard.map(({ name }) => name), [
      "channel_vacated",
      "member_removed",
      "channel_vacated",
    ]);
  });

  it("are not emitted by a removed app", async () => {
    const { harness, heard } = listening();
    await using _ = harness;
    const client = await harness.member("ann");
    heard.length = 0;
    harness.realtime.replaceApps([{ id: "2", key: "other-key", secret: "other-secret" }]);
    await client.closed;
    assert.deepEqual(heard, []);
  });

  it("reach the other listeners, and the connection stays, when a listener throws", async () => {
    const harness = new Harness();
    await using _ = harness;
    const heard: string[] = [];
    harness.realtime.onServerEvent(() => {
      throw new Error("broken");
    });
    const stop = harness.realtime.onServerEvent(({ name }) => heard.push(name));
    const client = await harness.connect();
    client.subscribe("news");
    await client.next("pusher_internal:subscription_succeeded");
    assert.deepEqual(heard, ["channel_occupied"]);
    assert.equal(harness.logged.length, 1);
    stop();
    client.send("pusher:unsubscribe", { channel: "news" });
    await client.settled();
    assert.deepEqual(heard, ["channel_occupied"]);
  });
});
