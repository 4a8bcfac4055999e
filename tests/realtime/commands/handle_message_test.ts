import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import Echo from "laravel-echo";
import { signChannel, signUser } from "@/realtime/protocol/signature.ts";
import { RateLimiter } from "@/realtime/timing/budget.ts";
import { app, type Client, Harness, until } from "../harness.ts";
import { Pusher } from "../../fixtures/pusher_js.ts";
import { ManualClock } from "../manual_clock.ts";
import { optionsFor } from "../pusher_clients.ts";

const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
const subscribeWith = (data: unknown) => JSON.stringify({ event: "pusher:subscribe", data });

const badFrames: Record<string, string | Uint8Array<ArrayBuffer>> = {
  "nothing": "",
  "no JSON": "hello",
  "half of JSON": '{"event":"pusher:ping"',
  "a number": "1",
  "null": "null",
  "an array": "[]",
  "an object without event": "{}",
  "an event that is no text": '{"event":{}}',
  "an empty event": '{"event":""}',
  "a long event": JSON.stringify({ event: "x".repeat(1_000) }),
  "an unknown event": '{"event":"pusher:what","data":{}}',
  "a number of members": '{"event":"rollcall:count","channel":"presence-room","data":"{}"}',
  "an internal event": '{"event":"pusher_internal:member_added","data":"{}"}',
  "a prototype name as event": '{"event":"__proto__"}',
  "a method's name as event": '{"event":"constructor"}',
  "a client event": '{"event":"client-typing","channel":"presence-room","data":{}}',
  "a subscription without data": '{"event":"pusher:subscribe"}',
  "a subscription with null": subscribeWith(null),
  "a subscription with text": subscribeWith("x"),
  "a subscription with numbers": subscribeWith({ channel: 1, auth: 2 }),
  "an auth that is an object": subscribeWith({ channel: "private-a", auth: { toString: 1 } }),
  "an unsubscription without data": '{"event":"pusher:unsubscribe"}',
  "a sign-in without data": '{"event":"pusher:signin"}',
  "a sign-in with numbers": '{"event":"pusher:signin","data":{"auth":1,"user_data":2}}',
  "deep nesting": `{"event":"pusher:subscribe","data":${nested(5_000)}}`,
  "deep nesting alone": nested(8_000),
  "a huge frame": JSON.stringify({ event: "pusher:ping", data: "x".repeat(100_000) }),
  "a frame that is huge in UTF-8 only": JSON.stringify({
    event: "pusher:ping",
    data: "ä".repeat(9_000),
  }),
  "a binary frame": new TextEncoder().encode('{"event":"pusher:ping"}'),
};

const names = fc.constantFrom(
  "pusher:subscribe",
  "pusher:unsubscribe",
  "pusher:signin",
  "client-typing",
  "__proto__",
);
const channels = fc.constantFrom(
  "presence-a",
  "private-a",
  "a",
  "__proto__",
  "",
  "#server-to-user-1",
);
const anyFrame = fc.oneof(
  fc.string({ maxLength: 200 }),
  fc.json(),
  fc.record({ event: names, channel: fc.jsonValue(), data: fc.jsonValue() }).map((frame) =>
    JSON.stringify(frame)
  ),
  fc.record({
    event: names,
    data: fc.record({ channel: channels, auth: fc.string(), channel_data: fc.json() }),
  }).map((frame) => JSON.stringify(frame)),
);

async function answered(sender: Client): Promise<void> {
  for (const { event } of await sender.settled()) assert.match(event, /^pusher(_internal)?:/);
}

it("A client's pong gets no answer", async () => {
  await using harness = new Harness();
  const client = await harness.connect();
  client.send("pusher:pong", {});
  assert.deepEqual(await client.settled(), []);
});

describe("A faulty frame", () => {
  for (const [name, frame] of Object.entries(badFrames)) {
    it(`that is ${name} gets its sender an error, and other connections nothing`, async () => {
      await using harness = new Harness();
      const other = await harness.member("ann");
      const sender = await harness.connect();
      sender.sendRaw(frame);
      const frames = await sender.settled();
      assert.deepEqual(frames.map(({ event }) => event), ["pusher:error"]);
      assert.equal(frames[0].data.code, null);
      assert.deepEqual(await other.settled(), []);
      assert.equal((await sender.joined("bob")).data.presence.count, 2);
      assert.deepEqual(harness.logged, []);
    });
  }

  it("with signed channel_data that nests too deep is refused", async () => {
    await using harness = new Harness();
    const client = await harness.connect();
    client.joinAs("u", "presence-room", JSON.parse(nested(2_000)));
    assert.match((await client.next("pusher:error")).data.message, /nested too deep/);
  });

  it("closes its connection with 4009 when there were too many", async () => {
    await using harness = new Harness({ maxErrors: 5 });
    const client = await harness.connect();
    const other = await harness.member("ann");
    for (let count = 0; count < 6; count++) client.sendRaw("x");
    assert.equal((await client.closed).code, 4009);
    assert.deepEqual(await other.settled(), []);
  });

  it("of random text does not affect the server or other connections", async () => {
    const rules = { clientEvents: true, watchlist: true, subscriptionCount: true };
    await using harness = new Harness({
      rules: { ...rules, maxMessagesPerSecond: 0 },
      maxErrors: Infinity,
    });
    const other = await harness.member("ann");
    const sender = await harness.connect();
    await fc.assert(
      fc.asyncProperty(anyFrame, async (frame) => {
        sender.sendRaw(frame);
        await answered(sender);
      }),
      { numRuns: 400 },
    );
    assert.deepEqual(await other.settled(), []);
    assert.deepEqual(harness.logged, []);
  });

  it("that is signed leaves nothing in memory once its sender is gone", async () => {
    await using harness = new Harness({ rules: { watchlist: true }, maxErrors: Infinity });
    const user = fc.record({
      id: fc.oneof(fc.string(), fc.constantFrom("__proto__", "a")),
      user_info: fc.jsonValue(),
      watchlist: fc.oneof(fc.array(fc.string()), fc.jsonValue()),
    }, { requiredKeys: [] });
    await fc.assert(
      fc.asyncProperty(user, fc.json(), async (userData, channelData) => {
        const sender = await harness.connect();
        const text = JSON.stringify(userData);
        sender.send("pusher:signin", {
          auth: signUser(app, sender.socketId, text),
          user_data: text,
        });
        const auth = signChannel(app, sender.socketId, "presence-a", channelData);
        sender.subscribe("presence-a", auth, channelData);
        sender.subscribe("presence-b", signChannel(app, sender.socketId, "presence-b"));
        await answered(sender);
        sender.close();
        await sender.closed;
      }),
      { numRuns: 100 },
    );
    await until(() => harness.sizes.every(([, size]) => size === 0));
    assert.deepEqual(harness.logged, []);
  });
});

const rules = { clientEvents: true };

async function join(harness: Harness, channel: string): Promise<Client> {
  const client = await harness.connect();
  client.subscribe(channel, signChannel(app, client.socketId, channel));
  await client.settled();
  return client;
}

function whisper(client: Client, channel: unknown, data: unknown = { text: "hi" }): void {
  client.sendRaw(JSON.stringify({ event: "client-typing", channel, data, user_id: "forged" }));
}

const refused: Record<string, { channel?: string; to?: unknown; data?: unknown; off?: boolean }> = {
  "the app does not allow it": { off: true },
  "the channel is public": { channel: "news" },
  "the channel is encrypted": { channel: "private-encrypted-a" },
  "the channel is encrypted and a cache": { channel: "private-encrypted-cache-a" },
  "the sender did not join": { to: "private-b" },
  "it names no channel": { to: undefined },
  "its channel is no text": { to: { toString: 1 } },
  "its data is too large": { data: "x".repeat(10_241) },
};

describe("A client event", () => {
  it("reaches the other subscribers of a private channel as it was sent", async () => {
    await using harness = new Harness({ rules });
    const [sender, other] = [await join(harness, "private-a"), await join(harness, "private-a")];
    whisper(sender, "private-a");
    assert.deepEqual(await sender.settled(), []);
    const expected = { event: "client-typing", channel: "private-a", data: { text: "hi" } };
    assert.deepEqual(await other.settled(), [expected]);
  });

  it("has the sender's user id on a presence channel, whatever the sender claims", async () => {
    await using harness = new Harness({ rules });
    const ann = await harness.member("ann");
    const bob = await harness.member("bob");
    await ann.settled();
    whisper(bob, "presence-room");
    // The type of frames does not have what only client events have.
    const event = await ann.next("client-typing") as unknown as { user_id: string };
    assert.equal(event.user_id, "bob");
  });

  for (const [name, { channel = "private-a", data, off, ...rest }] of Object.entries(refused)) {
    it(`is refused when ${name}; the connection stays open`, async () => {
      await using harness = new Harness({ rules: { clientEvents: !off }, maxErrors: 0 });
      const [sender, other] = [await join(harness, channel), await join(harness, channel)];
      whisper(sender, "to" in rest ? rest.to : channel, data);
      const frames = await sender.settled();
      assert.deepEqual(frames.map(({ event }) => event), ["pusher:error"]);
      assert.equal(frames[0].data.code, null);
      assert.deepEqual(await other.settled(), []);
    });
  }

  it("over the rate limit gets 4301 as an event, and in the next second none", async () => {
    const clock = new ManualClock();
    await using harness = new Harness({ rules, clock, maxErrors: 0 });
    const [sender, other] = [await join(harness, "private-a"), await join(harness, "private-a")];
    for (let sent = 0; sent < 13; sent++) whisper(sender, "private-a");
    const errors = await sender.settled();
    assert.deepEqual(errors.map(({ data }) => data.code), [4301, 4301, 4301]);
    assert.equal((await other.settled()).length, 10);
    clock.advance(1_000);
    whisper(sender, "private-a");
    assert.deepEqual(await sender.settled(), []);
    assert.equal((await other.settled()).length, 1);
    const drained = harness.realtime.drain(0);
    await Promise.all([sender.closed, other.closed]);
    clock.advance(1_000);
    await drained;
  });

  it("has no rate limit when the limit is 0", () => {
    const rate = new RateLimiter();
    for (let count = 0; count < 1_000; count++) assert.ok(rate.allows(0, 0));
    assert.ok(rate.allows(0, 1));
    assert.ok(!rate.allows(999, 1));
    assert.ok(rate.allows(1_000, 1));
  });

  it("whispered with Laravel Echo reaches others and not its sender", async () => {
    await using harness = new Harness({ rules });
    const heard: string[] = [];
    const echoes = ["ann", "bob"].map((userId) => {
      const client = new Pusher(app.key, optionsFor(harness, userId));
      const echo = new Echo({ broadcaster: "pusher", key: app.key, client });
      const room = echo.join("room");
      room.listenForWhisper(
        "typing",
        ({ text }: { text: string }) => heard.push(`${userId} ${text}`),
      );
      return { echo, room };
    });
    await until(() => harness.app.presence.of("presence-room").users === 2);
    const [ann, bob] = echoes;
    ann.room.whisper("typing", { text: "from ann" });
    await until(() => heard.length === 1);
    bob.room.whisper("typing", { text: "from bob" });
    await until(() => heard.length === 2);
    assert.deepEqual(heard, ["bob from ann", "ann from bob"]);
    for (const { echo } of echoes) echo.disconnect();
    await until(() => harness.realtime.stats().connections === 0);
  });

  it("reaches pusher-js with the user id of its sender from the subscription", async () => {
    await using harness = new Harness({ rules });
    const ann = new Pusher(app.key, optionsFor(harness, "ann"));
    const senders: unknown[] = [];
    ann.subscribe("presence-room").bind(
      "client-typing",
      (_data: unknown, { user_id }: { user_id: string }) => senders.push(user_id),
    );
    await until(() => harness.app.presence.of("presence-room").users === 1);
    whisper(await harness.member("bob"), "presence-room");
    await until(() => senders.length === 1);
    assert.deepEqual(senders, ["bob"]);
    ann.disconnect();
    await until(() => harness.realtime.stats().connections === 1);
  });
});
