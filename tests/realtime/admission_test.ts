import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { signChannel } from "@/realtime/protocol/signature.ts";
import { ManualClock } from "./manual_clock.ts";
import { app, type Client, Harness, type HarnessOptions, until } from "./harness.ts";
import { ApiHarness, posted, written } from "./api/harness.ts";
import { Receiver, WebhookHarness } from "./webhooks/harness.ts";

interface Row {
  name: string;
  path?: string;
  headers?: Record<string, string>;
  options?: HarnessOptions;
  code: number;
}

const protocol = "?protocol=7";
const onlyUs = { rules: { allowedOrigins: ["https://us.example"] } };

const rows: Row[] = [
  { name: "an unknown key", path: `/app/unknown${protocol}`, code: 4001 },
  { name: "a prototype name as key", path: `/app/__proto__${protocol}`, code: 4001 },
  { name: "no key", path: `/app/${protocol}`, code: 4005 },
  { name: "another path", path: `/chat${protocol}`, code: 4005 },
  { name: "no protocol", path: `/app/${app.key}`, code: 4008 },
  { name: "an empty protocol", path: `/app/${app.key}?protocol=`, code: 4008 },
  { name: "protocol 4", path: `/app/${app.key}?protocol=4`, code: 4007 },
  { name: "protocol 8", path: `/app/${app.key}?protocol=8`, code: 4007 },
  { name: "protocol 7.0", path: `/app/${app.key}?protocol=7.0`, code: 4007 },
  {
    name: "another origin",
    headers: { origin: "https://them.example" },
    options: onlyUs,
    code: 4009,
  },
];

const byHost = { rules: { allowedOrigins: ["us.example", "*.them.example"] } };

/** Origins of which the hosts are listed, or not. */
const origins: [origin: string, isAllowed: boolean][] = [
  ["https://us.example", true],
  ["http://US.example:8080", true],
  ["https://a.us.example", false],
  ["https://us.example.evil.example", false],
  ["https://a.them.example", true],
  ["https://a.b.them.example:8443", true],
  ["https://them.example", false],
  ["https://evilthem.example", false],
  ["null", false],
];

describe("A socket", () => {
  for (const [origin, isAllowed] of origins) {
    it(`from ${origin} ${isAllowed ? "opens" : "is refused"} when hosts are listed`, async () => {
      await using harness = new Harness(byHost);
      const client = harness.open(`/app/${app.key}${protocol}`, { origin });
      if (isAllowed) await client.next("pusher:connection_established");
      else assert.equal((await client.closed).code, 4009);
    });
  }

  for (const { name, path, headers, options, code } of rows) {
    it(`with ${name} gets pusher:error and close code ${code}`, async () => {
      await using harness = new Harness(options);
      const client = harness.open(path, headers);
      const error = await client.next("pusher:error");
      assert.equal(error.data.code, code);
      assert.equal(typeof error.data.message, "string");
      assert.equal((await client.closed).code, code);
      assert.equal(harness.realtime.stats().connections, 0);
    });
  }

  for (const path of [`/app/${app.key}?protocol=5`, `/some/prefix/app/${app.key}/?protocol=7`]) {
    it(`to ${path.replace(app.key, "KEY")} opens`, async () => {
      await using harness = new Harness(onlyUs);
      const client = harness.open(path, { origin: "https://us.example" });
      const { data } = await client.next("pusher:connection_established");
      assert.match(data.socket_id, /^\d+\.\d+$/);
      assert.equal(data.activity_timeout, 30);
    });
  }

  it("over the limit of connections is closed with 4100, so that its client retries", async () => {
    await using harness = new Harness({ maxConnections: 1 });
    const first = await harness.connect();
    assert.equal((await harness.open().closed).code, 4100);
    assert.deepEqual(await first.settled(), []);
  });

  it("request that is no WebSocket upgrade gets 400", async () => {
    await using harness = new Harness();
    const plain = await fetch(`http://127.0.0.1:${harness.port}/app/${app.key}?protocol=7`);
    assert.equal(plain.status, 400);
    await plain.body?.cancel();
  });

  it("that joins at most a public channel within the join timeout is closed with 4009, one that joins is not", async () => {
    const clock = new ManualClock();
    await using harness = new Harness({ rules: { joinTimeoutMs: 60 }, clock });
    const idle = await harness.connect();
    idle.subscribe("news");
    await idle.settled();
    const member = await harness.member("u");
    assert.equal(harness.realtime.stats().unauthorized, 1);
    clock.advance(60);
    assert.equal((await idle.closed).code, 4009);
    assert.deepEqual(await member.settled(), []);
    assert.equal(harness.realtime.stats().unauthorized, 0);
    const drained = harness.realtime.drain(0);
    await member.closed;
    clock.advance(1_000);
    await drained;
  });

  it("that closes before it joins anything leaves nothing in memory", async () => {
    await using harness = new Harness({ rules: { joinTimeoutMs: 60_000 } });
    const client = await harness.connect();
    assert.equal(harness.realtime.stats().unauthorized, 1);
    client.close();
    await until(() => harness.realtime.stats().connections === 0);
    assert.equal(harness.realtime.stats().unauthorized, 0);
  });
});

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
