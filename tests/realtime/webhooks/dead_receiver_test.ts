import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { signChannel } from "@/realtime/protocol/signature.ts";
import { app, type Client, until } from "../harness.ts";
import { WebhookHarness } from "./harness.ts";

/** A server that accepts connections and reads everything, and never answers. */
class DeadReceiver implements Disposable {
  readonly #listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  readonly #connections: Deno.Conn[] = [];
  readonly #accepting = this.#accept();

  get url(): string {
    return `http://127.0.0.1:${this.#listener.addr.port}/`;
  }

  get connections(): number {
    return this.#connections.length;
  }

  async #accept(): Promise<void> {
    for await (const connection of this.#listener) this.#connections.push(connection);
  }

  [Symbol.dispose](): void {
    this.#listener.close();
    for (const connection of this.#connections) connection.close();
  }
}

const channel = "private-a";

async function joined(harness: WebhookHarness): Promise<Client> {
  const client = await harness.connect();
  client.subscribe(channel, signChannel(app, client.socketId, channel));
  await client.next("pusher_internal:subscription_succeeded");
  return client;
}

describe("A receiver that never answers", () => {
  it("delays no socket, and the events that wait for it are limited", async () => {
    using receiver = new DeadReceiver();
    const rules = {
      clientEvents: true,
      clientEventsPerSecond: 0,
      webhooks: [{ url: receiver.url }],
    };
    const limits = { maxQueuedEvents: 500, maxQueuedBytes: 1_000_000, answerMs: 600_000 };
    await using harness = new WebhookHarness({
      rules: { ...rules, maxMessagesPerSecond: 0 },
      webhookOptions: { limits },
    });
    const [sender, other] = [await joined(harness), await joined(harness)];
    await until(() => receiver.connections === 1);
    for (let n = 0; n < 1_000; n++) {
      sender.sendRaw(JSON.stringify({ event: "client-moved", channel, data: { n } }));
    }
    assert.deepEqual(await sender.settled(), []);
    const heard = (await other.settled()).map(({ data }) => data.n);
    assert.deepEqual(heard, Array.from({ length: 1_000 }, (_, n) => n));
    const { queuedEvents, queuedBytes, dropped, delivered } = harness.webhooks.stats();
    assert.deepEqual([queuedEvents, dropped.queueFull, delivered], [500, 501, 0]);
    assert.ok(queuedBytes <= limits.maxQueuedBytes);
    assert.equal(receiver.connections, 1);
  });

  it("has its waiting events limited by bytes when they are large", async () => {
    using receiver = new DeadReceiver();
    const rules = {
      clientEvents: true,
      clientEventsPerSecond: 0,
      webhooks: [{ url: receiver.url }],
    };
    const limits = { maxQueuedBytes: 100_000, answerMs: 600_000 };
    await using harness = new WebhookHarness({ rules, webhookOptions: { limits } });
    const sender = await joined(harness);
    const data = "x".repeat(9_000);
    for (let n = 0; n < 20; n++) {
      sender.sendRaw(JSON.stringify({ event: "client-moved", channel, data }));
    }
    await sender.settled();
    const { queuedEvents, queuedBytes, dropped } = harness.webhooks.stats();
    assert.ok(queuedBytes <= limits.maxQueuedBytes && queuedBytes > 90_000, String(queuedBytes));
    assert.equal(queuedEvents + dropped.queueFull, 21);
  });
});
