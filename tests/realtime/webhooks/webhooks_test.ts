import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import type { AppConfig } from "@/realtime/server.ts";
import { signChannel } from "@/realtime/protocol/signature.ts";
import { webhookEventNames } from "@/realtime/app_config.ts";
import { app, until } from "../harness.ts";
import { Receiver, webhookOf } from "./receiver.ts";
import { WebhookHarness } from "./harness.ts";

const rules = { clientEvents: true, subscriptionCount: true };

/** Short times, so that tests need not wait. */
const webhookOptions = { limits: { returnMs: 20, batchMs: 5 } };

/** Causes each kind of event once. */
async function visit(harness: WebhookHarness): Promise<{ socketId: string; channel: string }> {
  const client = await harness.connect();
  const { socketId } = client;
  const channel = "private-cache-a";
  client.subscribe(channel, signChannel(app, socketId, channel));
  client.joinAs("ann");
  client.sendRaw(JSON.stringify({ event: "client-typing", channel, data: { text: "ä" } }));
  const whisper = { event: "client-wave", channel: "presence-room", data: "hello" };
  client.sendRaw(JSON.stringify(whisper));
  await client.settled();
  client.close();
  return { socketId, channel };
}

describe("Webhooks", () => {
  it("send all seven events in a form that the official library verifies and reads", async () => {
    await using receiver = new Receiver();
    const webhooks = [{ url: receiver.url }];
    await using harness = new WebhookHarness({ rules: { ...rules, webhooks }, webhookOptions });
    const before = Date.now();
    const { socketId, channel } = await visit(harness);
    await until(() => receiver.events().length === 10);
    const room = "presence-room";
    const event = { name: "client_event", socket_id: socketId };
    assert.deepEqual(receiver.events(), [
      { name: "channel_occupied", channel },
      { name: "cache_miss", channel },
      { name: "subscription_count", channel, subscription_count: 1 },
      { name: "channel_occupied", channel: room },
      { name: "member_added", channel: room, user_id: "ann" },
      { ...event, channel, event: "client-typing", data: '{"text":"ä"}' },
      { ...event, channel: room, event: "client-wave", data: "hello", user_id: "ann" },
      { name: "channel_vacated", channel },
      { name: "member_removed", channel: room, user_id: "ann" },
      { name: "channel_vacated", channel: room },
    ]);
    const names = new Set(receiver.events().map(({ name }) => name));
    assert.deepEqual(webhookEventNames.filter((name) => !names.has(name)), []);
    for (const delivery of receiver.deliveries) {
      const time = webhookOf(delivery).getTime().getTime();
      assert.ok(time >= before && time <= Date.now());
      assert.equal(delivery.headers["content-type"], "application/json");
    }
  });

  it("are refused by the library when the body was changed, or with another secret", async () => {
    await using receiver = new Receiver();
    await using harness = new WebhookHarness({
      rules: { webhooks: [{ url: receiver.url }] },
      webhookOptions,
    });
    await harness.member("ann");
    await until(() => receiver.deliveries.length === 1);
    const [delivery] = receiver.deliveries;
    assert.equal(webhookOf(delivery, "another").isValid(), false);
    const rawBody = delivery.rawBody.replace("ann", "bob");
    assert.equal(webhookOf({ ...delivery, rawBody }).isValid(), false);
  });

  it("receive the events that they are configured for, and none of another app", async () => {
    await using members = new Receiver();
    await using all = new Receiver();
    await using others = new Receiver();
    const webhooks = [
      { url: members.url, events: ["member_added", "member_removed"] as const },
      { url: all.url },
    ];
    const other: AppConfig = {
      id: "2",
      key: "other-key",
      secret: "other",
      webhooks: [{ url: others.url }],
    };
    await using harness = new WebhookHarness({
      apps: [{ ...app, webhooks }, other],
      webhookOptions,
    });
    await harness.member("ann");
    await until(() => members.events().length === 1 && all.events().length === 2);
    assert.deepEqual(members.events().map(({ name }) => name), ["member_added"]);
    assert.deepEqual(all.events().map(({ name }) => name), ["channel_occupied", "member_added"]);
    assert.deepEqual(others.deliveries, []);
  });

  it("without a receiver for an event keep nothing in memory", async () => {
    await using harness = new WebhookHarness({ rules: { clientEvents: true } });
    await harness.member("ann");
    const webhooks = [{ url: "http://127.0.0.1:9/", events: ["cache_miss"] as const }];
    harness.realtime.replaceApps([{ ...app, webhooks }]);
    await harness.member("bob");
    const { receivers, queuedEvents, pendingDepartures } = harness.webhooks.stats();
    assert.deepEqual([receivers, queuedEvents, pendingDepartures], [0, 0, 0]);
  });
});
