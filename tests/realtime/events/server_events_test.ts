import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import {
  type LeaveReason,
  type PublishedEvent,
  RealtimeServer,
  type ServerEvent,
} from "@/realtime/server.ts";
import { signChannel } from "@/realtime/protocol/signature.ts";
import { sendEvent, triggerBatch, triggerEvent } from "@/realtime/api/events.ts";
import {
  app,
  app as config,
  type Client,
  Harness,
  type HarnessOptions,
  until,
} from "../harness.ts";
import { MutePeer } from "../mute_peer.ts";

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
    const before = Date.now();
    const first = await harness.member("ann");
    const after = Date.now();
    const tabs = [first, await harness.member("ann")];
    for (const tab of tabs) tab.close();
    await until(() => harness.realtime.stats().connections === 0);
    const added = heard.find(({ name }) => name === "member_added");
    const { joinedAt } = added?.name === "member_added" ? added.member : assert.fail();
    assert.ok(joinedAt !== undefined && joinedAt >= before && joinedAt <= after);
    const member = { id: "ann", info: `{"id":"ann"}`, options: undefined, joinedAt };
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

const ways: Record<string, {
  options?: HarnessOptions;
  leave: (harness: Harness, client: Client) => unknown;
  reason: LeaveReason;
}> = {
  "closes its socket": { leave: (_, client) => client.close(), reason: "closed" },
  "leaves the channel and stays connected": {
    leave: (_, client) => client.send("pusher:unsubscribe", { channel: "presence-room" }),
    reason: "unsubscribed",
  },
  "is removed": { leave: ({ app }) => app.connections.closeUser("ann"), reason: "removed" },
  "is signed out": {
    leave: ({ app }) => app.connections.closeUser("ann", { cause: "signed_out" }),
    reason: "signed_out",
  },
  "errs too often": {
    options: { maxErrors: 0 },
    leave: (_, client) => client.sendRaw("no JSON"),
    reason: "refused",
  },
  "is here when the server stops": {
    leave: ({ realtime }) => realtime.drain(0),
    reason: "server_restart",
  },
};

function reasonsOf(harness: Harness): LeaveReason[] {
  const reasons: LeaveReason[] = [];
  harness.realtime.onServerEvent((event) => {
    if (event.name === "member_removed") reasons.push(event.reason);
  });
  return reasons;
}

describe("The leave reason", () => {
  for (const [name, { options, leave, reason }] of Object.entries(ways)) {
    it(`of a member that ${name} is passed to listeners`, async () => {
      await using harness = new Harness(options);
      const reasons = reasonsOf(harness);
      const client = await harness.member("ann");
      await leave(harness, client);
      await until(() => reasons.length > 0);
      assert.deepEqual(reasons, [reason]);
    });
  }

  it("of a silent member is timed_out", async () => {
    await using harness = new Harness({ idleTimeoutSeconds: 1 });
    const reasons = reasonsOf(harness);
    using peer = await MutePeer.connect(harness.port);
    await peer.join("ann");
    await until(() => reasons.length > 0);
    assert.deepEqual(reasons, ["timed_out"]);
  });

  it("of a user with several connections is the last connection's", async () => {
    await using harness = new Harness({ presenceGraceMs: 20 });
    const reasons = reasonsOf(harness);
    const [tab, phone] = [await harness.member("ann"), await harness.member("ann")];
    tab.send("pusher:unsubscribe", { channel: "presence-room" });
    await tab.settled();
    phone.close();
    await until(() => reasons.length > 0);
    assert.deepEqual(reasons, ["closed"]);
  });
});
