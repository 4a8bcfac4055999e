import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import Echo from "laravel-echo";
import { RateLimiter } from "@/realtime/connections/connection_limits.ts";
import { signChannel } from "@/realtime/protocol/signature.ts";
import { Pusher } from "../../fixtures/pusher_js.ts";
import { ManualClock } from "../manual_clock.ts";
import { optionsFor } from "../pusher_options.ts";
import { app, type Client, Harness, until } from "../harness.ts";

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
