import assert from "node:assert/strict";
import { until } from "../../realtime/harness.ts";
import { sources, Suite } from "../suite.ts";
import { AppHarness, HookReceiver } from "../harness.ts";
import { next } from "../pusher_client.ts";

export const webhooks = new Suite("webhook", "Webhooks");

/** So long events are gathered for a request, in milliseconds. */
const batchMs = 50;

webhooks.rule(
  "webhook.request",
  "A webhook is a POST of `time_ms` and `events` as JSON, with `X-Pusher-Key` and, as " +
    "`X-Pusher-Signature`, the HMAC-SHA256 of the body. The official library accepts it, and no " +
    "other body.",
  sources.webhooks,
  async (harness) => {
    await using receiver = await HookReceiver.of(harness);
    const before = Date.now();
    await (await harness.connected()).joined("news");
    await until(() => receiver.deliveries.length === 1);
    const [delivery] = receiver.deliveries;
    const webhook = harness.library().webhook(delivery);
    assert.ok(webhook.isValid());
    assert.deepEqual(Object.keys(webhook.getData()), ["time_ms", "events"]);
    const time = webhook.getTime().getTime();
    assert.ok(time >= before && time <= Date.now());
    assert.equal(delivery.headers["x-pusher-key"], harness.app.key);
    const rawBody = delivery.rawBody.replace("news", "olds");
    assert.ok(!harness.library().webhook({ ...delivery, rawBody }).isValid());
  },
);

webhooks.rule(
  "webhook.time",
  "Beside Pusher's fields, each event has a `time_ms` of its own: when it happened, however late it " +
    "is sent.",
  sources.own,
  async (harness) => {
    await using receiver = await HookReceiver.of(harness, ["channel_vacated"]);
    const client = await harness.connected();
    await client.joined("news");
    const before = Date.now();
    client.disconnect();
    await receiver.heard(1);
    const [happenedAt] = receiver.times;
    const sentAt = harness.library().webhook(receiver.deliveries[0]).getTime().getTime();
    assert.ok(happenedAt >= before, "it happened after the client disconnected");
    assert.ok(happenedAt < sentAt, "the client had time to return");
  },
);

webhooks.rule(
  "webhook.occupied",
  "`channel_occupied`: a channel has its first subscriber. A second one is not reported.",
  sources.webhooks,
  async (harness) => {
    await using receiver = await HookReceiver.of(harness);
    for (const channel of ["news", "news", "private-a"]) {
      await (await harness.connected()).joined(channel);
    }
    await receiver.heard(2);
    assert.deepEqual(receiver.taken, [
      { name: "channel_occupied", channel: "news" },
      { name: "channel_occupied", channel: "private-a" },
    ]);
  },
);

webhooks.rule(
  "webhook.members",
  "`member_added`, with `user_id`: a user's first connection joined a presence channel.",
  sources.webhooks,
  async (harness) => {
    await using receiver = await HookReceiver.of(harness, ["member_added"]);
    for (const userId of ["ann", "ann", "bob"]) {
      await (await harness.connected({ userId })).joined("presence-a");
    }
    await receiver.heard(2);
    const event = { name: "member_added", channel: "presence-a" };
    assert.deepEqual(receiver.taken, [
      { ...event, user_id: "ann" },
      { ...event, user_id: "bob" },
    ]);
  },
);

webhooks.rule(
  "webhook.departures",
  "`channel_vacated` and `member_removed`: the last subscriber, or a user's last connection, " +
    "left. They are sent within 3 seconds.",
  sources.webhooks,
  async (harness) => {
    await using receiver = await HookReceiver.of(harness, ["channel_vacated", "member_removed"]);
    const clients = [await harness.connected(), await harness.connected()];
    for (const client of clients) await client.joined("presence-a");
    for (const client of clients) client.disconnect();
    await receiver.heard(2);
    assert.deepEqual(receiver.taken, [
      { name: "member_removed", channel: "presence-a", user_id: "ann" },
      { name: "channel_vacated", channel: "presence-a" },
    ]);
  },
);

webhooks.rule(
  "webhook.returns",
  "If the client returns by then, neither its departure nor its return is sent.",
  sources.webhooks,
  async () => {
    await using harness = await AppHarness.alone({ clockIsStopped: true });
    await using receiver = await HookReceiver.of(harness);
    const [back, other] = [await harness.connected(), await harness.connected({ userId: "bob" })];
    const [channel, room] = [await back.joined("presence-a"), await other.joined("presence-a")];
    await other.joined("news");
    await harness.server.advance(batchMs);
    await receiver.heard(4);
    const removed = next(room, "pusher:member_removed");
    back.disconnect();
    await removed;
    await harness.server.advance(2_999);
    const again = next(channel, "pusher:subscription_succeeded");
    back.connect();
    await again;
    other.unsubscribe("news");
    await other.settled();
    await harness.server.advance(3_000);
    await harness.server.advance(batchMs);
    await receiver.heard(5);
    assert.deepEqual(receiver.taken[4], { name: "channel_vacated", channel: "news" });
  },
);

webhooks.rule(
  "webhook.client-event",
  "`client_event`, with `event`, `data`, `socket_id` and, on presence channels, `user_id`.",
  sources.webhooks,
  async (harness) => {
    await harness.set({ clientEvents: true });
    await using receiver = await HookReceiver.of(harness, ["client_event"]);
    const client = await harness.connected();
    for (const channel of ["private-a", "presence-a"]) {
      (await client.joined(channel)).trigger("client-typing", { text: "hé" });
    }
    await receiver.heard(2);
    const event = {
      name: "client_event",
      event: "client-typing",
      data: '{"text":"hé"}',
      socket_id: client.connection.socket_id,
    };
    assert.deepEqual(receiver.taken, [
      { ...event, channel: "private-a" },
      { ...event, channel: "presence-a", user_id: "ann" },
    ]);
  },
);

webhooks.rule(
  "webhook.cache-miss",
  "`cache_miss`: a new subscriber of a cache channel found no event.",
  sources.webhooks,
  async (harness) => {
    await using receiver = await HookReceiver.of(harness, ["cache_miss"]);
    await harness.library().trigger("cache-full", "update", {});
    for (const channel of ["cache-full", "cache-empty"]) {
      await (await harness.connected()).joined(channel);
    }
    await receiver.heard(1);
    assert.deepEqual(receiver.taken, [{ name: "cache_miss", channel: "cache-empty" }]);
  },
);

webhooks.rule(
  "webhook.subscription-count",
  "`subscription_count`, with the count, whenever subscribers are sent it.",
  sources.webhooks,
  async (harness) => {
    await harness.set({ subscriptionCount: true });
    await using receiver = await HookReceiver.of(harness, ["subscription_count"]);
    for (let count = 1; count <= 2; count++) await (await harness.connected()).joined("news");
    await receiver.heard(2);
    const event = { name: "subscription_count", channel: "news" };
    assert.deepEqual(receiver.taken, [
      { ...event, subscription_count: 1 },
      { ...event, subscription_count: 2 },
    ]);
  },
);

webhooks.rule(
  "webhook.several",
  "An app may have several webhooks, each for the events that it names, or for all.",
  sources.webhooks,
  async (harness) => {
    await using all = new HookReceiver(harness);
    await using members = new HookReceiver(harness);
    await harness.set({
      webhooks: [{ url: all.url }, { url: members.url, events: ["member_added"] }],
    });
    await (await harness.connected()).joined("presence-a");
    await Promise.all([all.heard(2), members.heard(1)]);
    const names = [all, members].map(({ taken }) => taken.map(({ name }) => name));
    assert.deepEqual(names, [["channel_occupied", "member_added"], ["member_added"]]);
  },
);

webhooks.rule(
  "webhook.batch",
  "Events that happen together are sent together, in their order, up to 100 in a request.",
  sources.webhooks,
  async (harness) => {
    await using receiver = await HookReceiver.of(harness);
    const client = await harness.bare();
    const channels = Array.from({ length: 90 }, (_, index) => `news-${index}`);
    for (const channel of channels) client.subscribe(channel);
    await receiver.heard(90);
    assert.deepEqual(receiver.taken.map(({ channel }) => channel), channels);
    assert.ok(receiver.deliveries.length < 10, `${receiver.deliveries.length} requests`);
  },
);

webhooks.rule(
  "webhook.retry",
  "A request that is answered with another status than 2xx, or not answered, is repeated with " +
    "the same body; other webhooks do not wait for it.",
  sources.webhooks,
  async (harness) => {
    await using receiver = await HookReceiver.of(harness);
    const statuses = [500, 302];
    receiver.answer = () => new Response(null, { status: statuses.shift() ?? 204 });
    const client = await harness.connected();
    await client.joined("news");
    await client.settled();
    await until(() => receiver.deliveries.length === 3);
    const bodies = receiver.deliveries.map(({ rawBody }) => rawBody);
    assert.equal(new Set(bodies).size, 1);
  },
);

webhooks.rule(
  "webhook.back-off",
  "The waits between the attempts grow; after 5 minutes an event is dropped.",
  sources.webhooks,
  async () => {
    await using harness = await AppHarness.alone({ clockIsStopped: true });
    await using receiver = await HookReceiver.of(harness);
    receiver.answer = ({ rawBody }) =>
      new Response(null, { status: rawBody.includes("refused") ? 500 : 200 });
    await (await harness.connected()).joined("refused");
    const seconds: number[] = [];
    // The first waits are short, and what comes after a step has returned is noticed with the next one.
    for (let second = 0; second < 400;) {
      const step = second < 20 || second >= 240 ? 1 : 5;
      await harness.server.advance(step * 1_000);
      second += step;
      while (seconds.length < receiver.deliveries.length) seconds.push(second);
    }
    await (await harness.connected()).joined("accepted");
    await harness.server.advance(1_000);
    const isAccepted = ({ rawBody }: { rawBody: string }) => rawBody.includes("accepted");
    await until(() => receiver.deliveries.some(isAccepted));
    const waits = seconds.slice(1).map((second, index) => second - seconds[index]);
    assert.ok(seconds.length > 6 && seconds.length < 60, `${seconds}`);
    assert.ok(Math.max(...waits.slice(-4)) > 4 * Math.max(...waits.slice(0, 2)), `${waits}`);
    const last = seconds[seconds.length - 1];
    assert.ok(last > 240 && last <= 301, `${last}`);
    const { events } = JSON.parse(receiver.deliveries.find(isAccepted)!.rawBody);
    assert.deepEqual(events.map(({ channel }: { channel: string }) => channel), ["accepted"]);
  },
);
