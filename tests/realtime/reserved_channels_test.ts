import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { signChannel } from "@/realtime/protocol/signature.ts";
import { app, type Client, type Harness, until } from "./harness.ts";
import { ApiHarness, posted, written } from "./api/harness.ts";
import { Receiver } from "./webhooks/receiver.ts";
import { WebhookHarness } from "./webhooks/harness.ts";

const reserved = { prefix: "private-rollcall.", secret: "the-secret-of-the-own-pages" };
const page = { key: app.key, secret: reserved.secret };
const channel = "private-rollcall.users.7";

/** Subscribes as a page of the server's own code does. */
async function joined(harness: Harness): Promise<Client> {
  const client = await harness.connect();
  client.subscribe(channel, signChannel(page, client.socketId, channel));
  await client.next("pusher_internal:subscription_succeeded");
  return client;
}

describe("a reserved channel", () => {
  it("is refused to a client that the app's server signed for, with the reason", async () => {
    await using harness = new ApiHarness({ rules: { reserved } });
    const rejected: string[] = [];
    harness.realtime.onRejection(({ reason, message }) => rejected.push(`${reason}: ${message}`));
    for (const name of [channel, "private-rollcall.", "private-rollcall.online"]) {
      const client = await harness.connect();
      client.subscribe(name, signChannel(app, client.socketId, name));
      const { data } = await client.next("pusher:subscription_error");
      assert.equal(
        data.error,
        `The channel ${name} is reserved for Rollcall's own pages`,
      );
      assert.equal(rejected.pop(), `reserved_channel: ${data.error}`);
    }
    assert.equal(harness.app.isOccupied(channel), false);
  });

  it("is joined with the reserved secret, which signs for no other channel", async () => {
    await using harness = new ApiHarness({ rules: { reserved } });
    const client = await joined(harness);
    for (const own of ["private-users.7", "private-admin.online", "private-rollcall"]) {
      client.subscribe(own, signChannel(page, client.socketId, own));
      assert.match((await client.next("pusher:subscription_error")).data.error, /signature/i);
      client.subscribe(own, signChannel(app, client.socketId, own));
      await client.next("pusher_internal:subscription_succeeded");
    }
  });

  it("is in no answer of the HTTP API, and takes no event from it", async () => {
    await using harness = new ApiHarness({ rules: { reserved } });
    const client = await joined(harness);
    client.subscribe("private-users.7", signChannel(app, client.socketId, "private-users.7"));
    await client.next("pusher_internal:subscription_succeeded");
    const { channels } = await harness.send(written());
    assert.deepEqual(channels, { "private-users.7": {} });
    const filtered = await harness.send(
      written({ query: { filter_by_prefix: "private-rollcall" } }),
    );
    assert.deepEqual(filtered.channels, {});
    const event = { name: "hello", data: "{}" };
    for (
      const call of [
        written({ path: `/apps/1/channels/${channel}` }),
        written({ path: `/apps/1/channels/${channel}/users` }),
        posted("/apps/1/events", { ...event, channel }),
        posted("/apps/1/events", { ...event, channels: ["private-users.7", channel] }),
        posted("/apps/1/batch_events", {
          batch: [{ ...event, channel: "private-users.7" }, { ...event, channel }],
        }),
      ]
    ) {
      const { status, reason, message } = await harness.send(call);
      assert.deepEqual([status, reason, message], [
        400,
        "bad_request",
        `${channel} is reserved for Rollcall's own pages`,
      ]);
    }
    assert.deepEqual(await client.settled(), [], "a refused call sends nothing");
    assert.equal(
      (await harness.send(posted("/apps/1/events", { ...event, channel: "private-users.7" })))
        .status,
      200,
    );
    await client.next("hello");
  });

  it("takes no client event, and is in no webhook", async () => {
    await using receiver = new Receiver();
    await using harness = new WebhookHarness({
      rules: { reserved, clientEvents: true, webhooks: [{ url: receiver.url }] },
      webhookOptions: { limits: { returnMs: 20, batchMs: 5 } },
    });
    const [one, other] = [await joined(harness), await joined(harness)];
    one.sendRaw(JSON.stringify({ event: "client-hello", channel, data: {} }));
    assert.match((await one.next("pusher:error")).data.message, /reserved/);
    assert.deepEqual(await other.settled(), []);
    one.close();
    other.close();
    await until(() => !harness.app.isOccupied(channel));
    const last = await harness.connect();
    last.subscribe("private-users.7", signChannel(app, last.socketId, "private-users.7"));
    await until(() => receiver.events().length > 0);
    assert.deepEqual(receiver.events(), [{ name: "channel_occupied", channel: "private-users.7" }]);
  });

  it("is a channel like any other for an app without reserved ones", async () => {
    await using harness = new ApiHarness();
    const client = await harness.connect();
    client.subscribe(channel, signChannel(app, client.socketId, channel));
    await client.next("pusher_internal:subscription_succeeded");
    assert.deepEqual((await harness.send(written())).channels, { [channel]: {} });
  });
});
