import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { signChannel, signUser } from "@/realtime/protocol/signature.ts";
import { app, type Client, Harness, until } from "../harness.ts";

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
