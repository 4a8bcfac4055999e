import assert from "node:assert/strict";
import { until } from "../../fixtures/eventually.ts";
import { MutePeer } from "../../realtime/mute_peer.ts";
import { sources, Suite } from "../suite.ts";
import { heardOn, next } from "../pusher_client.ts";
import { AppHarness } from "../harness.ts";

export const limits = new Suite("limit", "Limits of this server's own");

limits.rule(
  "limit.frame",
  "A client frame has up to 16 KB; a larger one is answered with an error.",
  sources.own,
  async (harness) => {
    const client = await harness.bare();
    const frame = (size: number) => '{"event":"pusher:ping"}'.padEnd(size);
    client.sendRaw(frame(16_384));
    client.sendRaw(frame(16_385));
    await client.next("pusher:pong");
    assert.match((await client.next("pusher:error")).data.message, /16384 bytes/);
    await client.settled();
  },
);

limits.rule(
  "limit.messages",
  "A connection may send 500 messages a second, or what the app allows; a further one is " +
    "answered with an error and ignored.",
  sources.own,
  async () => {
    await using harness = await AppHarness.alone({ clockIsStopped: true });
    const client = await harness.bare();
    for (let n = 0; n <= 500; n++) client.send("pusher:pong", {});
    assert.match((await client.next("pusher:error")).data.message, /500 messages a second/);
    await harness.server.advance(1_000);
    await client.settled();
  },
);

limits.rule(
  "limit.errors",
  "A connection with more than 50 errors in 10 seconds is closed with 4009.",
  sources.own,
  async () => {
    await using harness = await AppHarness.alone({ clockIsStopped: true });
    const client = await harness.bare();
    for (let n = 0; n < 50; n++) client.sendRaw("x");
    assert.equal((await client.settled()).length, 50);
    await harness.server.advance(10_000);
    for (let n = 0; n < 50; n++) client.sendRaw("x");
    assert.equal((await client.settled()).length, 50);
    client.sendRaw("x");
    while ((await client.next("pusher:error")).data.code !== 4009);
    await harness.server.advance(50);
    assert.equal((await client.closed).code, 4009);
  },
);

limits.rule(
  "limit.subscriptions",
  "A connection may subscribe 200 times, and twice more each second; a further subscription is " +
    "refused.",
  sources.own,
  async () => {
    await using harness = await AppHarness.alone({ clockIsStopped: true });
    const client = await harness.bare();
    for (let n = 0; n < 200; n++) {
      client.send("pusher:subscribe", { channel: "news" });
      client.send("pusher:unsubscribe", { channel: "news" });
    }
    assert.equal((await client.settled()).length, 200);
    client.send("pusher:subscribe", { channel: "news" });
    assert.match((await client.next("pusher:error")).data.message, /too often/);
  },
);

limits.rule(
  "limit.address",
  "An address that has reached its limit of connections (1,000) gets 4100.",
  sources.own,
  async () => {
    await using harness = await AppHarness.alone({ maxConnectionsPerAddress: 2 });
    const clients = [await harness.bare(), await harness.bare()];
    assert.equal((await harness.socket().closed).code, 4100);
    for (const client of clients) await client.settled();
  },
);

limits.rule(
  "limit.unread",
  "A client that leaves more than 1 MB unread is closed; the others get every event.",
  sources.own,
  async () => {
    await using harness = await AppHarness.alone({ maxBufferedBytes: 100_000 }, {
      maxEventBytes: 50_000,
    });
    const reader = await harness.connected();
    const news = await reader.joined("news");
    const heard = heardOn(news);
    using mute = await MutePeer.connect(harness.server.port, harness.app.key);
    await mute.send("pusher:subscribe", { channel: "news" });
    const subscribers = async () => {
      const params = { info: "subscription_count" };
      const answer = await harness.library().get({ path: "/channels/news", params });
      return (await answer.json()).subscription_count;
    };
    await until(async () => await subscribers() === 2, "both had subscribed");
    let sent = 0;
    for (; await subscribers() === 2; sent++) {
      assert.ok(sent < 1_000, "the client that reads nothing is closed");
      const taken = next(news, "much");
      await harness.library().trigger("news", "much", "x".repeat(50_000));
      await taken;
    }
    await reader.settled();
    assert.equal(heard.length, sent);
  },
);
