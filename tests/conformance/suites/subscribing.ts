import assert from "node:assert/strict";
import { sources, Suite } from "../suite.ts";
import { heardOn, next } from "../pusher_client.ts";

export const subscribing = new Suite("subscribe", "Subscribing");

subscribing.rule(
  "subscribe.public",
  "Any client may subscribe to a public channel; an empty `auth` is accepted.",
  sources.publicChannels,
  async (harness) => {
    const client = await harness.connected();
    await client.joined("news");
    const data = { auth: "", channel: "news" };
    assert.deepEqual(client.socket.sent, [{ event: "pusher:subscribe", data }]);
    const bare = await harness.bare();
    bare.send("pusher:subscribe", { channel: "news" });
    await bare.next("pusher_internal:subscription_succeeded");
  },
);

subscribing.rule(
  "subscribe.success",
  "The answer is `pusher_internal:subscription_succeeded` with the channel; its `data` is a string.",
  sources.protocol,
  async (harness) => {
    const client = await harness.connected();
    for (const channel of ["news", "private-a"]) {
      await client.joined(channel);
      const frame = client.received("pusher_internal:subscription_succeeded").at(-1);
      const event = "pusher_internal:subscription_succeeded";
      assert.deepEqual(frame, { event, channel, data: "{}" });
    }
    const { length } = (await client.joined("presence-a")).name;
    assert.ok(length > 0);
    const list = client.received("pusher_internal:subscription_succeeded").at(-1);
    assert.equal(typeof list?.data, "string");
  },
);

subscribing.rule(
  "subscribe.private",
  "A private channel needs a signature by the app's server.",
  sources.privateChannels,
  async (harness) => {
    const client = await harness.connected();
    await client.joined("private-a");
    const forger = await harness.connected({ signs: false });
    await assert.rejects(forger.joined("private-a"), /AuthError/);
    const bare = await harness.bare();
    bare.subscribe("private-a");
    assert.equal((await bare.next("pusher:subscription_error")).data.status, 401);
  },
);

subscribing.rule(
  "subscribe.refusal",
  "A refused subscription gets `pusher:error`, and for the page's own handler " +
    "`pusher:subscription_error` with `type`, `error` and `status`; the connection and its other " +
    "channels stay.",
  sources.pusherJs,
  async (harness) => {
    const client = await harness.connected({ signs: false });
    const news = heardOn(await client.joined("news"));
    const channel = client.subscribe("private-a");
    const error = await next<Record<string, unknown>>(channel, "pusher:subscription_error");
    const [{ data }] = client.received("pusher:error");
    assert.deepEqual(error, { type: "AuthError", error: data.message, status: 401 });
    await harness.library().trigger("news", "still", {});
    await client.settled();
    assert.deepEqual(news, [{ event: "still", data: {} }]);
  },
);

subscribing.rule(
  "subscribe.twice",
  "A second subscription to a channel is answered with `Existing subscription to channel …`.",
  sources.protocol,
  async (harness) => {
    const client = await harness.connected();
    const events = heardOn(await client.joined("news"));
    client.send_event("pusher:subscribe", { channel: "news" });
    await harness.library().trigger("news", "once", {});
    await client.settled();
    const message = "Existing subscription to channel news";
    assert.deepEqual(client.received("pusher:error").map(({ data }) => data), [
      { message, code: null },
    ]);
    assert.equal(events.length, 1);
  },
);

subscribing.rule(
  "subscribe.events",
  "Subscribers of a channel get its events, in order, and no other channel's.",
  sources.events,
  async (harness) => {
    const client = await harness.connected();
    const events = heardOn(await client.joined("news"));
    const library = harness.library();
    await library.trigger("news", "first", { n: 1 });
    await library.trigger("other", "first", {});
    await library.trigger("newspaper", "first", {});
    await library.trigger("news", "second", [null, "text"]);
    await client.settled();
    const [first, second] = [{ event: "first", data: { n: 1 } }, { event: "second" }];
    assert.deepEqual(events, [first, { ...second, data: [null, "text"] }]);
  },
);

subscribing.rule(
  "subscribe.event-frame",
  "An event has `event`, `channel` and `data`, whose value is the string that was triggered.",
  sources.protocol,
  async (harness) => {
    const client = await harness.connected();
    await client.joined("news");
    await harness.library().trigger("news", "e", { n: 1 });
    await harness.library().trigger("news", "e", "no JSON");
    await client.settled();
    assert.deepEqual(client.received("e"), [
      { event: "e", channel: "news", data: '{"n":1}' },
      { event: "e", channel: "news", data: "no JSON" },
    ]);
  },
);

subscribing.rule(
  "subscribe.unsubscribe",
  "`pusher:unsubscribe` has no answer; after it the channel's events are not sent.",
  sources.protocol,
  async (harness) => {
    const client = await harness.connected();
    const events = heardOn(await client.joined("news"));
    const { length } = client.socket.received;
    client.unsubscribe("news");
    await client.settled();
    await harness.library().trigger("news", "after", {});
    await client.settled();
    const later = client.socket.received.slice(length).map(({ event }) => event);
    assert.deepEqual(later, ["pusher:pong", "pusher:pong"]);
    assert.deepEqual(events, []);
    await client.joined("news");
  },
);

subscribing.rule(
  "subscribe.unsubscribe-at-once",
  "It may follow its subscription at once.",
  sources.pusherJs,
  async (harness) => {
    const client = await harness.bare();
    client.subscribe("news");
    client.send("pusher:unsubscribe", { channel: "news" });
    const events = (await client.settled()).map(({ event }) => event);
    // Of several servers, one may read both before it knows the channel: then nothing has to be told.
    const mayBeSilent = harness.server.size > 1 && events.length === 0;
    if (!mayBeSilent) assert.deepEqual(events, ["pusher_internal:subscription_succeeded"]);
    const list = await harness.library().get({ path: "/channels" });
    assert.deepEqual(await list.json(), { channels: {} });
  },
);

subscribing.rule(
  "subscribe.unsubscribe-unknown",
  "Without a subscription the answer is `No current subscription to channel …, or subscription in " +
    "progress`.",
  sources.protocol,
  async (harness) => {
    const client = await harness.connected();
    client.send_event("pusher:unsubscribe", { channel: "news" });
    await client.settled();
    const message = "No current subscription to channel news, or subscription in progress";
    assert.deepEqual(client.received("pusher:error").map(({ data }) => data), [
      { message, code: null },
    ]);
  },
);

subscribing.rule(
  "subscribe.again",
  "A client that reconnects is authorized and subscribed again for every channel, with its new " +
    "socket id.",
  sources.connection,
  async (harness) => {
    const names = ["news", "private-a", "presence-a"];
    const client = await harness.connected();
    const channels = await Promise.all(names.map((name) => client.joined(name)));
    const joined = channels.map((channel) => next(channel, "pusher:subscription_succeeded"));
    client.disconnect();
    client.connect();
    await Promise.all(joined);
    assert.deepEqual(harness.authorized.toSorted(), [
      "presence-a",
      "presence-a",
      "private-a",
      "private-a",
    ]);
    const list = await harness.library().get({ path: "/channels" });
    assert.deepEqual(Object.keys((await list.json()).channels).toSorted(), names.toSorted());
  },
);

subscribing.rule(
  "subscribe.limit",
  "A connection may have 100 channels; a further subscription is refused, the others stay.",
  sources.channels,
  async (harness) => {
    const client = await harness.bare();
    for (let number = 0; number <= 100; number++) client.subscribe(`news-${number}`);
    const { channel, data } = await client.next("pusher:subscription_error");
    assert.deepEqual([channel, data.type], ["news-100", "LimitReached"]);
    await harness.library().trigger("news-99", "still", {});
    await client.next("still");
  },
);
