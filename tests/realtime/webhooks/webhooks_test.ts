import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import type { AppConfig, ServerEvent } from "@/realtime/server.ts";
import { signChannel, signWebhook } from "@/realtime/protocol/signature.ts";
import { type Webhook, webhookEventNames } from "@/realtime/app_config.ts";
import { postWebhook } from "@/realtime/webhooks/webhook_sender.ts";
import { webhookEvent } from "@/realtime/webhooks/webhook_options.ts";
import { app, type Client, until } from "../harness.ts";
import { Receiver, WebhookHarness, webhookOf } from "./harness.ts";
import { reservePort } from "../../fixtures/reserved_port.ts";
import { withTimeout } from "../../fixtures/with_timeout.ts";

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
    const now = Date.now();
    const isNow = (time: number) => Number.isInteger(time) && time >= before && time <= now;
    assert.ok(receiver.times.every(isNow), String(receiver.times));
    const names = new Set(receiver.events().map(({ name }) => name));
    // Only webhooks that name it receive the event that Pusher does not have.
    assert.deepEqual(webhookEventNames.filter((name) => !names.has(name)), ["member_updated"]);
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

  it("receive the events of the channels that their filter has", async () => {
    await using receiver = new Receiver();
    const hook = (name: string, filter: Webhook["filter"]) => ({
      url: `${receiver.url}&hook=${name}`,
      events: ["channel_occupied"] as const,
      filter,
    });
    const webhooks = [
      hook("start", { startsWith: "chat-" }),
      hook("end", { endsWith: "-eu" }),
      hook("both", { startsWith: "chat-", endsWith: "-eu" }),
      hook("none", {}),
    ];
    const received: string[] = [];
    await using harness = new WebhookHarness({
      rules: { webhooks },
      webhookOptions: {
        ...webhookOptions,
        send: (url, _app, body) => {
          const name = new URL(url).searchParams.get("hook");
          for (const { channel } of JSON.parse(body).events) received.push(`${name} ${channel}`);
          return Promise.resolve(200);
        },
      },
    });
    const client = await harness.connect();
    for (const channel of ["chat-1-us", "news-eu", "chat-2-eu", "news"]) client.subscribe(channel);
    await client.settled();
    await until(() => harness.webhooks.stats().delivered === 9);
    assert.deepEqual(received.toSorted(), [
      "both chat-2-eu",
      "end chat-2-eu",
      "end news-eu",
      "none chat-1-us",
      "none chat-2-eu",
      "none news",
      "none news-eu",
      "start chat-1-us",
      "start chat-2-eu",
    ]);
  });

  it("send headers of their own, which replace none of Pusher's", async () => {
    await using receiver = new Receiver();
    const headers = {
      authorization: "Bearer abc",
      "x-pusher-key": "forged",
      "content-type": "a/b",
    };
    await using harness = new WebhookHarness({
      rules: { webhooks: [{ url: receiver.url, headers }] },
      webhookOptions,
    });
    await harness.member("ann");
    await until(() => harness.webhooks.stats().delivered === 2);
    const [{ headers: sent }] = receiver.deliveries;
    assert.deepEqual([sent.authorization, sent["x-pusher-key"], sent["content-type"]], [
      "Bearer abc",
      app.key,
      "application/json",
    ]);
    assert.equal(receiver.events().length, 2, "the signature is right");
  });

  it("say who joined and left, how long it stayed and why it left, where that is asked for", async () => {
    await using receiver = new Receiver();
    const webhooks = [{ url: receiver.url, include: ["details", "names"] as const }];
    await using harness = new WebhookHarness({ rules: { webhooks }, webhookOptions });
    const before = Date.now();
    const client = await harness.connect();
    const names = { name: "Ann Lee", detail: "Sales", url: "https://a.example/ann" };
    client.joinAs("ann", "presence-room", { color: "red", rollcall: names });
    await client.next("pusher_internal:subscription_succeeded");
    const after = Date.now();
    client.send("pusher:unsubscribe", { channel: "presence-room" });
    await until(() => harness.webhooks.stats().delivered === 4);
    const [occupied, added, removed, vacated] = receiver.events();
    const common = { channel: "presence-room", user_id: "ann", user_info: { color: "red" } };
    const joined_at = Number(added.joined_at);
    assert.ok(joined_at >= before && joined_at <= after, `${joined_at}`);
    assert.deepEqual([occupied, vacated], [
      { name: "channel_occupied", channel: "presence-room" },
      { name: "channel_vacated", channel: "presence-room" },
    ]);
    assert.deepEqual(added, { name: "member_added", ...common, joined_at, rollcall: names });
    const seconds = Math.round((receiver.times[2] - joined_at) / 1_000);
    const reason = "unsubscribed";
    assert.deepEqual(removed, {
      name: "member_removed",
      ...common,
      joined_at,
      seconds,
      reason,
      rollcall: names,
    });
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

const body = '{"time_ms":1327078148132,"events":[{"name":"channel_occupied","channel":"ä"}]}';

function post(receiver: { url: string }, signal = new AbortController().signal): Promise<number> {
  return postWebhook(receiver.url, app, body, signal);
}

describe("A leave that a webhook is told of", () => {
  const member = { id: "ann", info: '{"color":"red"}', options: { name: "Ann" }, joinedAt: 1_000 };
  const event: ServerEvent = {
    name: "member_removed",
    channel: "presence-room",
    userId: "ann",
    member,
    reason: "timed_out",
  };
  const pushers = { name: "member_removed", channel: "presence-room", user_id: "ann" };
  const read = (text: string) => JSON.parse(text);

  it("has Pusher's fields only, unless the webhook asks for more", () => {
    assert.deepEqual(read(webhookEvent(event, 61_600)), { ...pushers, time_ms: 61_600 });
  });

  it("has the details or the names, each where it is asked for", () => {
    const details = { user_info: { color: "red" }, joined_at: 1_000, seconds: 61 };
    assert.deepEqual(read(webhookEvent(event, 61_600, ["details"])), {
      ...pushers,
      ...details,
      reason: "timed_out",
      time_ms: 61_600,
    });
    assert.deepEqual(read(webhookEvent(event, 61_600, ["names"])), {
      ...pushers,
      rollcall: { name: "Ann" },
      time_ms: 61_600,
    });
  });

  it("has no user_info and no name of a member who is private, nor has a change of the member", () => {
    const hidden = { ...member, options: { private: true } };
    const left = webhookEvent({ ...event, member: hidden }, 61_600, ["details", "names"]);
    const times = { joined_at: 1_000, seconds: 61, reason: "timed_out", time_ms: 61_600 };
    assert.deepEqual(read(left), { ...pushers, ...times });
    const { channel, userId } = event;
    const updated = { name: "member_updated" as const, channel, userId: userId!, member: hidden };
    assert.deepEqual(read(webhookEvent(updated, 9)), {
      ...pushers,
      name: "member_updated",
      time_ms: 9,
    });
  });

  it("is never of a negative duration, though the clock of the server that it left is behind", () => {
    assert.equal(read(webhookEvent(event, 400, ["details"])).seconds, 0);
  });

  it("leaves out what is not known of a member whom an earlier release let join", () => {
    const unknown = { ...event, member: { id: "ann", info: "{}" } };
    assert.deepEqual(read(webhookEvent(unknown, 9, ["details", "names"])), {
      ...pushers,
      user_info: {},
      reason: "timed_out",
      time_ms: 9,
    });
  });
});

describe("postWebhook", () => {
  it("signs the body as it is sent, with the key and the secret of the app", async () => {
    await using receiver = new Receiver();
    assert.equal(await post(receiver), 200);
    const [{ headers, rawBody }] = receiver.deliveries;
    assert.equal(rawBody, body);
    assert.equal(headers["x-pusher-key"], app.key);
    assert.equal(headers["x-pusher-signature"], signWebhook(app, body));
    assert.match(headers["x-pusher-signature"], /^[0-9a-f]{64}$/);
  });

  it("does not follow a redirect", async () => {
    await using elsewhere = new Receiver();
    await using receiver = new Receiver();
    for (const status of [301, 302, 303, 307, 308]) {
      receiver.answer = () => Response.redirect(elsewhere.url, status);
      assert.equal(await post(receiver), status);
    }
    assert.deepEqual(elsewhere.deliveries, []);
  });

  it("stops reading an endless answer, and returns its status", async () => {
    await using receiver = new Receiver();
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    let bytes = 0;
    receiver.answer = () =>
      new Response(
        new ReadableStream({
          pull(controller) {
            bytes += 65_536;
            controller.enqueue(new Uint8Array(65_536));
          },
          cancel: () => end(),
        }),
      );
    assert.equal(await post(receiver), 200);
    await withTimeout(ended, "the answer was cut off");
    assert.ok(bytes < 20_000_000, `${bytes} bytes were read`);
  });

  it("returns the status of an answer whose body does not come in time", async () => {
    await using receiver = new Receiver();
    receiver.answer = () =>
      new Response(new ReadableStream({ start: (body) => body.enqueue(new Uint8Array(1)) }));
    // On a busy machine, the first byte itself may take longer than a time that is long on others.
    let timeMs = 10;
    await until(async () => {
      timeMs *= 2;
      return await post(receiver, AbortSignal.timeout(timeMs)).catch(() => null) === 200;
    }, "the status was returned");
  });

  it("rejects when there is no answer", async () => {
    await assert.rejects(post({ url: Receiver.url(await reservePort()) }), {
      message: "fetch failed",
    });
  });
});

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
