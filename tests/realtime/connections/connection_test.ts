import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { MutePeer } from "../mute_peer.ts";
import { Harness, until } from "../harness.ts";

describe("A connection", () => {
  it("answers pings and takes pongs", async () => {
    await using harness = new Harness();
    const client = await harness.connect();
    client.send("pusher:pong", {});
    client.send("pusher:ping", {});
    client.sendRaw('{"event":"pusher:ping"}');
    const pong = { event: "pusher:pong", data: {} };
    assert.deepEqual([await client.next("pusher:pong"), await client.next("pusher:pong")], [
      pong,
      pong,
    ]);
  });

  it("with a silent peer is a member no longer than the idle timeout, with or without leave grace", async () => {
    await using harness = new Harness({ idleTimeoutSeconds: 2, presenceGraceMs: 60_000 });
    const ann = await harness.member("ann");
    using mute = await MutePeer.connect(harness.port);
    await mute.join("ghost");
    await ann.next("pusher_internal:member_added");
    // With the grace of a minute, the leave would come long after the limit of this step.
    const { data } = await ann.next("pusher_internal:member_removed");
    assert.deepEqual(data, { user_id: "ghost" });
    assert.equal(harness.realtime.stats().connections, 1);
  });

  it("is closed with 4100 before its unsent bytes exceed the limit, when its peer stops reading", async () => {
    await using harness = new Harness({ maxBufferedBytes: 100_000 });
    const ann = await harness.connect();
    ann.subscribe("news");
    await ann.settled();
    using mute = await MutePeer.connect(harness.port);
    mute.send("pusher:subscribe", { channel: "news" });
    await until(() => harness.realtime.stats().subscriptions === 2);
    const frame = "x".repeat(50_000);
    for (let sent = 0; harness.realtime.stats().subscriptions === 2; sent++) {
      assert.ok(sent < 1_000, "50 MB were taken for a peer that reads nothing");
      harness.app.publish("news", "much", frame);
      await ann.next("much");
    }
    assert.equal(harness.realtime.stats().connections, 1);
    assert.equal(harness.realtime.stats().closing, 1);
    harness.app.publish("news", "after", {});
    await ann.next("after");
  });

  it("is closed with 4201 when its peer takes no byte any more, although no ping reaches it", async () => {
    await using harness = new Harness({ maxBufferedBytes: 1e9, idleTimeoutSeconds: 2 });
    using mute = await MutePeer.connect(harness.port);
    await mute.send("pusher:subscribe", { channel: "news" });
    await until(() => harness.realtime.stats().subscriptions === 1);
    const frame = "ä".repeat(100_000);
    for (let sent = 0; sent < 100; sent++) harness.app.publish("news", "much", frame);
    await until(() => {
      // Large, as the system may take the first ones, and small ones after them, into its own buffers.
      harness.app.publish("news", "more", frame);
      return harness.realtime.stats().connections === 0;
    });
  });

  it("is sent a member list that exceeds the limit of unsent bytes", async () => {
    await using harness = new Harness({ maxBufferedBytes: 1_000 });
    const clients = [];
    for (let user = 0; user < 30; user++) {
      clients.push(await harness.member(`user-${user}-${"x".repeat(50)}`));
    }
    assert.equal(harness.app.presence.of("presence-room").users, 30);
  });
});
