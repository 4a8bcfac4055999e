import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import type { Webhook } from "@/realtime/app_config.ts";
import { app, until } from "../harness.ts";
import { Receiver } from "./receiver.ts";
import { MemoryStore } from "./memory_store.ts";
import { WebhookHarness, type WebhookHarnessOptions } from "./harness.ts";

const event = { name: "users_online_threshold", channel: "presence-chart", users: 12 };

/** A harness whose only webhook receives the server's own events alone. */
function harnessWith(own: Webhook[], options: WebhookHarnessOptions = {}) {
  return new WebhookHarness({
    ...options,
    webhookOptions: {
      webhooksOf: ({ webhooks }) => [...webhooks, ...own],
      ...options.webhookOptions,
    },
  });
}

describe("An event of the server's own", () => {
  it("reaches its webhook, signed by the app", async () => {
    await using receiver = new Receiver();
    const own = { url: receiver.url, events: [] };
    await using harness = harnessWith([own]);
    const client = await harness.connect();
    client.subscribe("news");
    await client.settled();
    harness.webhooks.prepare(event, app.id, own).deliver();
    await until(() => harness.webhooks.stats().delivered === 1);
    assert.deepEqual(receiver.events(), [event]);
  });

  it("that is in the store and not delivered at a stop is delivered once after the next start", async () => {
    const store = new MemoryStore();
    await using receiver = new Receiver();
    receiver.answer = () => new Response(null, { status: 503 });
    const own = { url: receiver.url, events: [] };
    {
      await using harness = harnessWith([own], { webhookOptions: { store } });
      const [refused, late] = [event, { ...event, users: 13 }].map((each) =>
        harness.webhooks.prepare(each, app.id, own)
      );
      await store.write([refused.stored, late.stored], []);
      refused.deliver();
      await until(() => receiver.deliveries.length === 1);
      await harness.webhooks.stop();
      late.deliver();
    }
    receiver.deliveries.length = 0;
    receiver.answer = () => new Response("ok");
    await using harness = harnessWith([own], { webhookOptions: { store } });
    await harness.webhooks.start();
    await until(() => store.records.length === 0);
    assert.deepEqual(receiver.events().map(({ users }) => users), [12, 13]);
  });

  it("is dropped and counted when its address is no longer configured", async () => {
    await using receiver = new Receiver();
    await using harness = harnessWith([]);
    harness.webhooks.prepare(event, app.id, { url: receiver.url }).deliver();
    await until(() => harness.webhooks.stats().dropped.notConfigured === 1);
    assert.equal(receiver.deliveries.length, 0);
  });
});
