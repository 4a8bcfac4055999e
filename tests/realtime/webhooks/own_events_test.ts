import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import type { Webhook } from "@/realtime/app_config.ts";
import { app, until } from "../rig.ts";
import { Receiver } from "./receiver.ts";
import { MemoryStore } from "./memory_store.ts";
import { WebhookRig, type WebhookRigOptions } from "./rig.ts";

const event = { name: "users_online_threshold", channel: "presence-chart", users: 12 };

/** A rig whose only webhook receives the server's own events alone. */
function rigWith(own: Webhook[], options: WebhookRigOptions = {}) {
  return new WebhookRig({
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
    await using rig = rigWith([own]);
    const client = await rig.connect();
    client.subscribe("news");
    await client.settled();
    rig.webhooks.prepare(event, app.id, own).deliver();
    await until(() => rig.webhooks.stats().delivered === 1);
    assert.deepEqual(receiver.events(), [event]);
  });

  it("that is in the store and not delivered at a stop is delivered once after the next start", async () => {
    const store = new MemoryStore();
    await using receiver = new Receiver();
    receiver.answer = () => new Response(null, { status: 503 });
    const own = { url: receiver.url, events: [] };
    {
      await using rig = rigWith([own], { webhookOptions: { store } });
      const [refused, late] = [event, { ...event, users: 13 }].map((each) =>
        rig.webhooks.prepare(each, app.id, own)
      );
      await store.write([refused.stored, late.stored], []);
      refused.deliver();
      await until(() => receiver.deliveries.length === 1);
      await rig.webhooks.stop();
      late.deliver();
    }
    receiver.deliveries.length = 0;
    receiver.answer = () => new Response("ok");
    await using rig = rigWith([own], { webhookOptions: { store } });
    await rig.webhooks.start();
    await until(() => store.records.length === 0);
    assert.deepEqual(receiver.events().map(({ users }) => users), [12, 13]);
  });

  it("is dropped and counted when its address is no longer configured", async () => {
    await using receiver = new Receiver();
    await using rig = rigWith([]);
    rig.webhooks.prepare(event, app.id, { url: receiver.url }).deliver();
    await until(() => rig.webhooks.stats().dropped.notConfigured === 1);
    assert.equal(receiver.deliveries.length, 0);
  });
});
